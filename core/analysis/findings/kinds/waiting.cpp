// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/waiting.h"

#include "base/counted.h"
#include "base/try.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace jitscope::analysis {

namespace {

/// What waiting for the compiles of one function comes to. Waits that overlap count once in `wallNs`.
struct WaitSum {
  std::uint64_t calls = 0;
  std::uint64_t stretches = 0; ///< of waiting
  std::uint64_t threadNs = 0;
  std::uint64_t wallNs = 0;
  std::uint64_t endNs = 0;
  std::set<std::uint32_t> threads;
  std::map<const CompileRecord *, std::uint64_t> compiles; ///< that were waited for, and for how long at most
  FindingRows rows;
};

/// The compile that a call waited for: the one of its template that was under way at the same time; null where none is recorded.
const CompileRecord *compileFor(const WaitingCall &call, const std::multimap<base::TemplateId, const CompileRecord *> &compiles) {
  const auto [begin, end] = compiles.equal_range(call.templateId);
  const auto found = std::find_if(begin, end, [&call](const auto &entry) {
    const event::CompileEvent &compile = entry.second->compile;
    return compile.startNs <= call.startNs + call.waitNs && call.startNs <= compile.startNs + compile.totalNs;
  });
  return found == end ? nullptr : found->second;
}

} // namespace

base::Result<void> findWaiting(FindingEvidence &evidence, FindingList &list) {
  JITSCOPE_TRY(const std::vector<WaitingCall> calls, evidence.waitingCalls());
  if (calls.empty()) {
    return {};
  }
  std::multimap<base::TemplateId, const CompileRecord *> compiles;
  for (const CompileRecord &record : evidence.compiles()) {
    compiles.emplace(record.compile.templateId, &record);
  }
  std::map<base::FunctionId, WaitSum> sums;
  for (const WaitingCall &call : calls) { // by start
    const CompileRecord *const compile = compileFor(call, compiles);
    if (compile != nullptr && list.isClaimed(*compile)) {
      continue; // without that compile nobody would have waited, and its time is counted already
    }
    WaitSum &sum = sums[evidence.entry(call.templateId).functionId];
    const std::uint64_t endNs = call.startNs + call.waitNs;
    if (sum.calls == 0 || call.startNs >= sum.endNs) {
      ++sum.stretches;
      sum.wallNs += call.waitNs;
      sum.endNs = endNs;
    } else if (endNs > sum.endNs) {
      sum.wallNs += endNs - sum.endNs;
      sum.endNs = endNs;
    }
    if (compile != nullptr) {
      std::uint64_t &longest = sum.compiles[compile];
      longest = std::max(longest, call.waitNs);
    }
    ++sum.calls;
    sum.threadNs += call.waitNs;
    sum.threads.insert(call.thread);
    sum.rows.calls.push_back(call.id);
    sum.rows.templates.push_back(call.templateId);
  }
  for (auto &[id, sum] : sums) {
    if (!evidence.isWorthwhile(sum.wallNs)) {
      continue;
    }
    const event::FunctionEvent &function = evidence.function(id);
    Finding finding = evidence.about(FindingKind::Waiting, function);
    finding.costNs = sum.wallNs;
    for (const auto &[compile, ns] : sum.compiles) {
      list.claim(*compile, list.unclaimedNs(*compile, ns));
      finding.rows.compiles.push_back(compile->compile.id);
    }
    finding.rows.calls = std::move(sum.rows.calls);
    finding.rows.templates = std::move(sum.rows.templates);
    finding.title =
        fmt::format("{} waited for {} of {} by another thread", base::counted(sum.threads.size(), "thread"),
                    sum.stretches == 1 ? "one compile" : base::counted(sum.stretches, "compile"), nameForFinding(function));
    finding.explanation =
        fmt::format("{} found {} being compiled and waited for {}, {} over all threads.", base::counted(sum.calls, "call"),
                    sum.calls == 1 ? "it" : "the executable", base::formatNs(sum.wallNs), base::formatNs(sum.threadNs));
    finding.remedy = "Compile the function with compile() before the threads start, or call it once.";
    finding.effect = fmt::format("No thread would wait: up to {} saved.", base::formatNs(sum.wallNs));
    list.add(std::move(finding));
  }
  return {};
}

} // namespace jitscope::analysis
