// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/storm.h"

#include "analysis/calls/recompile_storms.h"
#include "analysis/calls/storm_advice.h"
#include "analysis/function_summary.h"
#include "analysis/replay/key_policy.h"
#include "base/counted.h"
#include "base/try.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::analysis {

namespace {

using event::MissReason;

/// After as many calls without a compile for each compile, a function has settled: its shapes were met while warming up.
constexpr std::uint64_t kSettledCallsPerCompile = 3;
/// A function whose templates were called once each is one-off setup if so many times its calls follow, of other functions.
constexpr std::uint64_t kSetupFactor = 10;

bool isForOtherArguments(MissReason reason) {
  return reason == MissReason::NewShape || reason == MissReason::NewDtype || reason == MissReason::NewRank ||
         reason == MissReason::NewArity || reason == MissReason::StaticValue || reason == MissReason::Options;
}

/// What ordinary calls compiled: benchmarks compile what they were asked to measure.
struct StormEvidence {
  std::vector<FunctionSummary> functions;
  std::map<base::TemplateId, ReasonCounts> reasons;
};

StormEvidence ordinaryCompiles(const FindingEvidence &evidence) {
  std::map<base::TemplateId, TemplateSummary> templates;
  StormEvidence result;
  for (const ContextRecord &context : evidence.contexts()) {
    if (!context.caseId.isValid()) {
      TemplateSummary &entry = templates[context.templateId];
      entry.calls += context.calls;
      entry.callNs += context.totalNs;
    }
  }
  for (const CompileRecord &record : evidence.compiles()) {
    const MissReason reason = record.compile.reason;
    if (record.isPaidByCall() && !record.caseId.isValid() && (isForOtherArguments(reason) || reason == MissReason::NewFunction)) {
      templates[record.compile.templateId].compileNs += record.compile.totalNs;
      ++result.reasons[record.compile.templateId][reason];
    }
  }
  std::map<base::FunctionId, FunctionSummary> functions;
  for (auto &[id, entry] : templates) {
    const event::TemplateEvent &known = evidence.entry(id);
    const event::FunctionEvent &function = evidence.function(known.functionId);
    FunctionSummary &summary = functions[known.functionId];
    summary.id = known.functionId;
    summary.name = function.name;
    summary.line = function.line;
    summary.eager = function.eager;
    entry.id = id;
    entry.signature = known.signature;
    summary.templates.push_back(std::move(entry));
  }
  for (auto &[id, summary] : functions) {
    result.functions.push_back(std::move(summary));
  }
  return result;
}

/// Whether the compiles were over before the session's work began, or went on.
bool hasSettled(const RecompileStorm &storm, const FunctionHistory &function, const CallHistory &session) {
  if (function.callsSinceCompile >= kSettledCallsPerCompile * storm.compiles) {
    return true;
  }
  // Eager operations before the first call of a function prepare its arguments.
  if (storm.eager && session.firstScriptCall != 0 && function.lastCall < session.firstScriptCall) {
    return true;
  }
  const std::uint64_t later = session.calls - function.lastCall; // calls, not counting those of benchmarks
  return storm.calls == storm.compiles && later >= kSetupFactor * function.calls;
}

/// Short enough for a title; the explanation names all parts.
std::string whatVaries(const RecompileStorm &storm) {
  if (storm.varying.empty()) {
    return fmt::format("reason {}", nameOf(storm.reason));
  }
  const VaryingPart &part = storm.varying.front();
  switch (part.kind) {
  case VaryingPart::Kind::Size:
    return fmt::format("dimension {} of argument {} took {} sizes, {} to {}", part.dimension.value_or(0), part.argument, part.count,
                       part.first, part.last);
  case VaryingPart::Kind::Rank:
    return fmt::format("argument {} had {} to {} dimensions", part.argument, part.first, part.last);
  case VaryingPart::Kind::ElementType:
    return fmt::format("argument {} had {} dtypes", part.argument, part.count);
  case VaryingPart::Kind::Value:
    break;
  }
  return fmt::format("static argument {} took {} values", part.argument, part.count);
}

std::string remedyFor(const RecompileStorm &storm) {
  if (std::string advice = stormAdvice(storm); !advice.empty()) {
    return advice;
  }
  switch (storm.reason) {
  case MissReason::NewDtype:
    return "Convert the argument to one dtype with as_type before the call.";
  case MissReason::NewRank:
    return "Reshape the argument to one rank before the call.";
  case MissReason::Options:
    return "Set the options once, before the first call: each set of them has executables of its own.";
  case MissReason::StaticValue:
    // `stormAdvice` speaks of values that could be data. These cannot become tensors.
    return storm.eager ? "Use fewer different values: shapes and axes are part of the template of an eager operation."
                       : "Use fewer different values: each value of a static argument needs an executable of its own.";
  default:
    return "Pad the argument to few sizes, or collect the inputs of one size.";
  }
}

/// What fewer templates would bring, at the mean time of a compile.
std::string effectFor(const RecompileStorm &storm, const std::vector<std::string> &signatures, std::uint64_t againNs) {
  if (storm.isForAllSizes || storm.reason != MissReason::NewShape || storm.compiles == 0) {
    return {};
  }
  const auto savedBy = [&storm, againNs](std::size_t templates) {
    const std::uint64_t left = storm.compileNs / storm.compiles * std::min<std::uint64_t>(templates, storm.compiles);
    return base::formatNs(std::min(againNs, storm.compileNs - left));
  };
  std::vector<std::string> parts;
  for (const auto &[policy, name] :
       {std::pair(KeyPolicy::Rank, "template=\"rank\""), std::pair(KeyPolicy::PowersOfTwo, "padding to powers of two")}) {
    if (const std::size_t templates = countTemplates(policy, signatures); templates < storm.templates) {
      parts.push_back(
          fmt::format("{} leaves {} and saves about {}", name, base::counted(templates, "compile"), savedBy(templates)));
    }
  }
  if (parts.empty()) {
    return {};
  }
  return fmt::format("Of {}, {}.", base::counted(storm.compiles, "compile"), base::listed(parts));
}

} // namespace

base::Result<void> findRecompileStorms(FindingEvidence &evidence, FindingList &list) {
  const StormEvidence compiles = ordinaryCompiles(evidence);
  const std::vector<RecompileStorm> storms = findStorms(compiles.functions, compiles.reasons);
  if (storms.empty()) {
    return {};
  }
  JITSCOPE_TRY(const CallHistory *const history, evidence.history());
  for (const RecompileStorm &storm : storms) {
    const auto function = history->functions.find(storm.functionId);
    if (function == history->functions.end() || hasSettled(storm, function->second, *history)) {
      continue;
    }
    Finding finding = evidence.about(FindingKind::Storm, evidence.function(storm.functionId));
    std::vector<std::string> signatures;
    std::vector<const CompileRecord *> again;
    std::uint64_t reasonCompiles = 0;
    std::uint64_t firstNs = 0;
    for (const CompileRecord &record : evidence.compiles()) {
      const MissReason reason = record.compile.reason;
      const event::TemplateEvent &entry = evidence.entry(record.compile.templateId);
      if (record.functionId != storm.functionId || !record.isPaidByCall() || record.caseId.isValid() ||
          servesAllSizes(entry.signature) != storm.isForAllSizes || list.isClaimed(record)) {
        continue;
      }
      signatures.push_back(entry.signature);
      if (isForOtherArguments(reason)) {
        again.push_back(&record);
        reasonCompiles += reason == storm.reason ? 1 : 0;
        finding.costNs += record.compile.totalNs;
        finding.rows.compiles.push_back(record.compile.id);
        finding.rows.calls.push_back(record.compile.callId);
        finding.rows.templates.push_back(entry.id);
      } else if (reason == MissReason::NewFunction) {
        firstNs += record.compile.totalNs;
      }
    }
    if (!evidence.isWorthwhile(finding.costNs)) {
      continue;
    }
    for (const CompileRecord *const record : again) {
      list.claim(*record);
    }
    finding.title = fmt::format("{} was compiled again {} for {}: {}", nameForFinding(evidence.function(storm.functionId)),
                                base::counted(again.size(), "time"), base::counted(storm.calls, "call"), whatVaries(storm));
    finding.explanation = fmt::format(
        "These compiles took {}{} (reason: {}{}).", base::formatNs(finding.costNs),
        firstNs == 0 ? std::string() : fmt::format(", after {} for the first one", base::formatNs(firstNs)), nameOf(storm.reason),
        reasonCompiles < again.size() ? fmt::format(" for {} of them", base::formatCount(reasonCompiles)) : std::string());
    if (storm.varying.size() > 1) { // a single part is in the title
      finding.explanation += " " + varyingSentence(storm.varying);
    }
    finding.remedy = remedyFor(storm);
    finding.effect = effectFor(storm, signatures, finding.costNs);
    list.add(std::move(finding));
  }
  return {};
}

} // namespace jitscope::analysis
