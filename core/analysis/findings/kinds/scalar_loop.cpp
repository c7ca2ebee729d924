// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/scalar_loop.h"

#include "event/loops.h"

#include "analysis/compiles/loop_summary.h"
#include "analysis/compiles/study_summary.h"
#include "base/counted.h"
#include "base/try.h"
#include "base/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace jitscope::analysis {

namespace {

constexpr std::uint64_t kLeastExecutionNs = 100'000'000;
constexpr double kLeastExecutionShare = 0.1;

/// The pipeline of a study under which the loop is vectorized and the function runs fastest.
struct VectorizedIn {
  std::string pipeline;
  double ratio = 0; ///< of the time of a call to that under the pipeline in use
};

std::optional<VectorizedIn> vectorizedIn(const std::vector<StudySummary> &studies, base::FunctionId function,
                                         const event::LoopResult &loop, const std::string &usedPipeline) {
  std::optional<VectorizedIn> best;
  for (const StudySummary &study : studies) {
    const auto used = std::ranges::find(study.pipelines, usedPipeline, [](const StudyPipeline &p) { return p.result.pipeline; });
    if (study.study.functionId != function || used == study.pipelines.end() || !(used->execute.medianNs > 0)) {
      continue;
    }
    for (const StudyPipeline &pipeline : study.pipelines) {
      const bool isVectorized = std::ranges::any_of(
          pipeline.loops, [&loop](const event::LoopResult &other) { return event::keyOf(other) == event::keyOf(loop); });
      const double ratio = pipeline.execute.medianNs / used->execute.medianNs;
      if (isVectorized && ratio > 0 && ratio < 1 && (!best || ratio < best->ratio)) {
        best = VectorizedIn{pipeline.result.pipeline, ratio};
      }
    }
  }
  return best;
}

} // namespace

base::Result<void> findScalarLoops(FindingEvidence &evidence, FindingList &list) {
  // Hits alone: what else a call takes has nothing to do with loops.
  std::map<base::FunctionId, std::uint64_t> hitNs;
  for (const ContextRecord &context : evidence.contexts()) {
    if (context.outcome == event::Outcome::Hit) {
      hitNs[context.functionId] += context.totalNs;
    }
  }
  std::optional<std::vector<StudySummary>> studies;
  for (const auto &[id, ns] : hitNs) {
    if (ns < kLeastExecutionNs || base::shareOf(ns, evidence.durationNs()) < kLeastExecutionShare) {
      continue;
    }
    Selection selection;
    selection.functionId = id;
    JITSCOPE_TRY(const LoopSummary loops, readLoopSummary(evidence.reader(), selection, LoopScope::Calls));
    // With vectorized loops beside it, nobody knows which of them takes the time.
    if (loops.vectorized > 0) {
      continue;
    }
    const auto scalar = std::ranges::find_if(loops.findings, [](const LoopFinding &loop) {
      return loop.loop.state == event::LoopState::Scalar && !loop.loop.reason.empty();
    });
    if (scalar == loops.findings.end()) {
      continue;
    }
    if (!studies) {
      JITSCOPE_TRY(studies, summarizeStudies(evidence.reader()));
    }
    const std::string pipeline = scalar->pipelines.empty() ? std::string() : scalar->pipelines.front();
    const std::optional<VectorizedIn> better = vectorizedIn(*studies, id, scalar->loop, pipeline);
    if (!better && scalar->remedy.empty()) {
      continue; // nothing that a user could do
    }
    const event::FunctionEvent &function = evidence.function(id);
    Finding finding = evidence.about(FindingKind::ScalarLoop, function);
    // Two elements at a time, the fewest that a vector has, halve it at best.
    finding.costNs = better ? static_cast<std::uint64_t>(static_cast<double>(ns) * (1 - better->ratio)) : ns / 2;
    finding.line = scalar->loop.line > 0 ? scalar->loop.line : function.line;
    for (const CompileRecord &record : evidence.compiles()) {
      if (record.functionId == id) {
        finding.rows.compiles.push_back(record.compile.id);
        finding.rows.templates.push_back(record.compile.templateId);
      }
    }
    finding.title = fmt::format("{} ran for {} with a loop that stayed scalar", nameForFinding(function), base::formatNs(ns));
    finding.explanation = fmt::format("The loop at {} was not vectorized: {}. Calls of the function took {} of the session.",
                                      event::locationText(scalar->loop), event::reasonText(scalar->loop),
                                      base::formatShare(base::shareOf(ns, evidence.durationNs())));
    finding.remedy = better ? fmt::format("Compile with options{{pipeline=\"{}\"}}, which vectorizes it.", better->pipeline)
                            : scalar->remedy + ".";
    finding.effect =
        better ? fmt::format("In the study a call took {:.2f} of its time with {}: about {} saved.", better->ratio,
                             better->pipeline, base::formatNs(finding.costNs))
               : "Two elements at a time, the fewest that a vector has, would halve its time at best; wider vectors save more.";
    list.add(std::move(finding));
  }
  return {};
}

} // namespace jitscope::analysis
