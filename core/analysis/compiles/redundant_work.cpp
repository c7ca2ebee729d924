// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compiles/redundant_work.h"

#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace jitscope::analysis {

namespace {

void add(event::FunctionWork &total, const event::FunctionWork &work) {
  total.optimized += work.optimized;
  total.linked += work.linked;
  total.emitted += work.emitted;
  total.reused += work.reused;
  total.optimizeNs += work.optimizeNs;
  total.emitNs += work.emitNs;
  total.codeBytes += work.codeBytes;
  total.repeatOptimizeNs += work.repeatOptimizeNs;
  total.repeatEmitNs += work.repeatEmitNs;
  total.repeatCodeBytes += work.repeatCodeBytes;
}

/// Work on copies, by the timed repetitions.
struct CopyTimes {
  std::uint64_t survivingNs = 0;
  std::uint64_t droppedNs = 0;
};

CopyTimes copyTimes(const RedundantWork &redundantWork, const PipelineWork &work) {
  const double scale = work.recordedNs == 0 ? 1 : static_cast<double>(work.timedNs) / static_cast<double>(work.recordedNs);
  const auto scaled = [scale](std::uint64_t ns) { return static_cast<std::uint64_t>(static_cast<double>(ns) * scale); };
  return {scaled(redundantWork.survivingNs), scaled(redundantWork.droppedNs)};
}

std::string verdictText(const RedundantWork &redundantWork, const CopyTimes &copies, const RedundantWorkVerdict &verdict,
                        const std::string &reference) {
  switch (verdict.cause) {
  case RepeatCause::None:
    return "hardly any work is repeated";
  case RepeatCause::SurvivingCopies:
    return fmt::format("surviving copies are the cause: {} of functions that other modules hold already were optimized and emitted "
                       "again, {} and {} of code",
                       redundantWork.survivingCopies == 1 ? "1 copy" : base::formatCount(redundantWork.survivingCopies) + " copies",
                       base::formatNs(copies.survivingNs), base::formatBytes(redundantWork.total.repeatCodeBytes));
  case RepeatCause::InlinedBodies:
    break;
  }
  std::string text = "inlined bodies are the cause, not surviving copies: ";
  if (verdict.inlinedNs > 0) {
    text += fmt::format("{} more than {} took went into optimizing and emitting bodies once more inside their callers",
                        base::formatNs(verdict.inlinedNs), reference);
  }
  if (copies.droppedNs > 0) {
    text += fmt::format("{}{} into optimizing copies that were gone before code was made", verdict.inlinedNs > 0 ? ", and " : "",
                        base::formatNs(copies.droppedNs));
  }
  text += redundantWork.survivingCopies == 0
              ? "; no copy was emitted twice"
              : fmt::format("; {} {} emitted again, which took {}", redundantWork.survivingCopies,
                            redundantWork.survivingCopies == 1 ? "copy was" : "copies were", base::formatNs(copies.survivingNs));
  return text;
}

} // namespace

std::string_view nameOf(RepeatCause cause) {
  switch (cause) {
  case RepeatCause::None:
    return "none";
  case RepeatCause::SurvivingCopies:
    return "surviving-copies";
  case RepeatCause::InlinedBodies:
    break;
  }
  return "inlined-bodies";
}

RedundantWork redundantWorkOf(const event::CompileEvent &compile, const std::vector<event::FunctionEvent> &functions) {
  RedundantWork redundantWork;
  for (const event::FunctionWork &work : compile.work) {
    const auto function = std::ranges::find(functions, work.functionId, &event::FunctionEvent::id);
    redundantWork.functions.push_back({work, function == functions.end() ? std::string() : function->name});
    add(redundantWork.total, work);
    const bool survives = work.emitted > 1;
    redundantWork.survivingCopies += survives ? work.emitted - 1 : 0;
    (survives ? redundantWork.survivingNs : redundantWork.droppedNs) += work.repeatOptimizeNs + work.repeatEmitNs;
  }
  return redundantWork;
}

RedundantWorkVerdict judge(const RedundantWork &redundantWork, const PipelineWork &work, const PipelineWork &reference) {
  // Below a twentieth of all work a difference is noise between two compiles.
  constexpr std::uint64_t kNoise = 20;
  RedundantWorkVerdict verdict;
  const CopyTimes copies = copyTimes(redundantWork, work);
  const std::uint64_t copiesNs = copies.survivingNs + copies.droppedNs;
  verdict.excessNs = work.timedNs > reference.timedNs ? work.timedNs - reference.timedNs : 0;
  // Only bodies that were linked into others, while each was finished and emitted itself, go through the passes again.
  const bool canCarryBodies = redundantWork.total.linked > 0 && redundantWork.total.emitted > 1;
  verdict.inlinedNs = canCarryBodies && verdict.excessNs > copiesNs ? verdict.excessNs - copiesNs : 0;
  const std::uint64_t repeatedNs = copiesNs + verdict.inlinedNs;
  if (repeatedNs > 0 && repeatedNs >= work.timedNs / kNoise) {
    verdict.cause =
        copies.survivingNs > copies.droppedNs + verdict.inlinedNs ? RepeatCause::SurvivingCopies : RepeatCause::InlinedBodies;
  }
  verdict.text = verdictText(redundantWork, copies, verdict, reference.pipeline);
  return verdict;
}

} // namespace jitscope::analysis
