// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/flip_flop.h"

#include "analysis/calls/varying_arguments.h"
#include "base/counted.h"
#include "base/try.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace jitscope::analysis {

namespace {

constexpr std::size_t kMostValues = 4;
/// Two phases of a program switch once, two of its parts a few times.
constexpr std::uint64_t kFewestSwitches = 8;

/// A dtype that alternates, or a static argument that might be data. A string or a function chooses between code on purpose.
bool isFlipping(const std::vector<VaryingPart> &varying) {
  return !varying.empty() && std::ranges::all_of(varying, [](const VaryingPart &part) {
    return part.count <= kMostValues &&
           (part.kind == VaryingPart::Kind::ElementType || (part.kind == VaryingPart::Kind::Value && part.mayBeData));
  });
}

} // namespace

base::Result<void> findFlipFlops(FindingEvidence &evidence, FindingList &list) {
  std::map<base::FunctionId, std::vector<const CompileRecord *>> compiles;
  std::map<base::FunctionId, std::set<base::TemplateId>> templates;
  for (const CompileRecord &record : evidence.compiles()) {
    if (record.isPaidByCall() && !record.caseId.isValid() && !list.isClaimed(record)) {
      compiles[record.functionId].push_back(&record);
      templates[record.functionId].insert(record.compile.templateId);
    }
  }
  for (const auto &[id, records] : compiles) {
    const event::FunctionEvent &function = evidence.function(id);
    const std::set<base::TemplateId> &own = templates[id];
    if (function.eager || own.size() < 2 || own.size() > kMostValues) {
      continue;
    }
    std::vector<std::string> signatures;
    for (const base::TemplateId entry : own) {
      signatures.push_back(evidence.entry(entry).signature);
    }
    const std::vector<VaryingPart> varying = varyingParts(signatures);
    if (!isFlipping(varying)) {
      continue;
    }
    JITSCOPE_TRY(const CallHistory *const history, evidence.history());
    const auto calls = history->functions.find(id);
    if (calls == history->functions.end() || calls->second.switches < kFewestSwitches) {
      continue;
    }
    Finding finding = evidence.about(FindingKind::FlipFlop, function);
    const auto callsOf = [history](base::TemplateId entry) {
      const auto found = history->templateCalls.find(entry);
      return found == history->templateCalls.end() ? 0 : found->second;
    };
    const base::TemplateId usual = *std::ranges::max_element(own, {}, callsOf);
    std::vector<const CompileRecord *> claimed;
    for (const CompileRecord *record : records) {
      if (record->compile.templateId != usual) {
        finding.costNs += record->compile.totalNs;
        finding.rows.compiles.push_back(record->compile.id);
        finding.rows.calls.push_back(record->compile.callId);
        claimed.push_back(record);
      }
    }
    if (!evidence.isWorthwhile(finding.costNs)) {
      continue;
    }
    for (const CompileRecord *const record : claimed) {
      list.claim(*record);
    }
    finding.rows.templates.assign(own.begin(), own.end());
    const VaryingPart &part = varying.front();
    const bool isType = part.kind == VaryingPart::Kind::ElementType;
    finding.title = fmt::format("{} alternates between {} and {} in {} {}", nameForFinding(function), part.first, part.last,
                                isType ? "argument" : "static argument", part.argument);
    finding.explanation = fmt::format(
        "Its calls changed the template {} times, and each of {} has an executable of its own. Compiling "
        "more than one took {}.",
        base::formatCount(calls->second.switches), base::counted(own.size(), "template"), base::formatNs(finding.costNs));
    finding.remedy = isType
                         ? fmt::format("Convert argument {} to one dtype with as_type before the call.", part.argument)
                         : fmt::format("If argument {} is data to compute with, pass it as a tensor or a number, whose values are "
                                       "not part of the template.",
                                       part.argument);
    finding.effect = fmt::format("One executable instead of {} saves {}.", own.size(), base::formatNs(finding.costNs));
    list.add(std::move(finding));
  }
  return {};
}

} // namespace jitscope::analysis
