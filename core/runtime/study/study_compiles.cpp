// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/study/study_compiles.h"

#include "base/clock.h"
#include "event/activity.h"
#include "event/loops.h"
#include "event/sink.h"
#include "runtime/dispatch/id_registry.h"
#include "runtime/dispatch/run_observer.h"
#include "runtime/study/study_plan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace jitscope::runtime {

using base::Result;

StudyCompiles::StudyCompiles(Services services, Subject subject, const std::vector<std::string> &pipelines)
    : StudyCompiles(services, std::move(subject), pipelines, Options{}) {}

StudyCompiles::StudyCompiles(Services services, Subject subject, const std::vector<std::string> &pipelines, Options options)
    : m_services(services), m_subject(std::move(subject)), m_options(options) {
  for (const std::string &pipeline : pipelines) {
    m_candidates.emplace_back().pipeline = pipeline;
  }
}

Result<void> StudyCompiles::checkStop() const {
  if (m_services.stopRequested.load(std::memory_order_relaxed)) {
    return base::fail(base::ErrorCode::ScriptInterrupted, "interrupted while pipelines were studied");
  }
  return {};
}

void StudyCompiles::compileOnce(StudyCandidate &candidate, std::uint32_t repetition) {
  const bool isDetailed = repetition == 0;
  const std::uint64_t startNs = m_services.clock.nowNs();
  event::CompileActivity activity(m_services.activities, m_subject.name, {}, candidate.pipeline);
  Result<StudyCompile> made =
      m_subject.compile(candidate.pipeline, isDetailed ? m_subject.observation : pipeline::Observation::none(), activity);
  const std::uint64_t totalNs = m_services.clock.nowNs() - startNs;
  if (!made) {
    // A stop says nothing about the pipeline.
    if (made.error().code != base::ErrorCode::ScriptInterrupted) {
      candidate.error = std::move(made.error());
    }
    return;
  }
  event::CompileEvent compile;
  compile.id = m_services.ids.nextCompile();
  compile.templateId = m_subject.templateId;
  compile.pipeline = candidate.pipeline;
  compile.reason = event::MissReason::Study;
  compile.startNs = startNs;
  compile.lowerNs = made->lowerNs;
  compile.optimizeNs = made->optimizeNs;
  compile.codegenNs = made->codegenNs;
  compile.linkNs = made->linkNs;
  compile.totalNs = totalNs;
  compile.codeBytes = made->codeBytes;
  compile.target = made->target;
  compile.studyId = m_subject.study;
  compile.repetition = repetition;
  addCompileTime(candidate.compileNs, repetition, totalNs);
  if (isDetailed) {
    candidate.detailed = compile.id;
    compile.work = std::move(made->trace.work);
    compile.passes = std::move(made->trace.passes);
    compile.snapshots = std::move(made->trace.snapshots);
    compile.remarks = std::move(made->trace.remarks);
    compile.hasLoops = made->trace.hasLoops;
    compile.loops = made->trace.loops;
    candidate.made = std::move(*made);
  } else {
    candidate.spentNs += totalNs;
  }
  m_services.sink.record(std::move(compile));
}

Result<void> StudyCompiles::run(std::uint32_t repetitions) {
  for (std::uint32_t repetition = 0; repetition <= repetitions; ++repetition) {
    for (StudyCandidate &candidate : m_candidates) {
      if (Result<void> mayGoOn = checkStop(); !mayGoOn) {
        return mayGoOn;
      }
      const bool isTooSlow = repetition > 0 && !candidate.error &&
                             candidate.spentNs + static_cast<std::uint64_t>(candidate.compileNs.back()) > m_options.budgetNs;
      if (candidate.error || isTooSlow) {
        continue;
      }
      m_services.observer.studyStep(m_subject.name, candidate.pipeline, repetition, repetitions);
      compileOnce(candidate, repetition);
    }
  }
  m_services.observer.studyEnded();
  if (Result<void> mayGoOn = checkStop(); !mayGoOn) {
    return mayGoOn;
  }
  if (std::ranges::all_of(m_candidates, [](const StudyCandidate &candidate) { return candidate.error.has_value(); })) {
    return std::unexpected(*m_candidates.front().error);
  }
  return {};
}

void StudyCompiles::recordResults(std::uint32_t repetitions) {
  std::uint32_t position = 0;
  for (const StudyCandidate &candidate : m_candidates) {
    event::StudyResultEvent result;
    result.studyId = m_subject.study;
    result.position = position++;
    result.pipeline = candidate.pipeline;
    result.compileId = candidate.detailed;
    result.instructionsBefore = candidate.made.trace.instructionsBefore;
    result.instructionsAfter = candidate.made.trace.instructionsAfter;
    result.codeBytes = candidate.made.codeBytes;
    result.objects = candidate.made.objects;
    result.isExecuted = candidate.isExecuted;
    result.isEqual = candidate.isEqual;
    result.maxUlp = candidate.maxUlp;
    result.ulpBound = candidate.ulpBound;
    result.error = candidate.error ? base::describe(*candidate.error) : "";
    m_services.sink.record(std::move(result));
    if (!candidate.error && candidate.detailed.isValid() && candidate.compileNs.size() < repetitions) {
      const std::string timed =
          candidate.spentNs == 0 ? "once, with everything recorded" : fmt::format("{} times", candidate.compileNs.size());
      m_services.sink.record(event::StudyNoteEvent{
          m_subject.study, fmt::format("{} is too slow for {} timed compiles within {} s: it was timed {}", candidate.pipeline,
                                       repetitions, m_options.budgetNs / 1'000'000'000, timed)});
    }
  }
}

std::vector<script::StudyPipeline> StudyCompiles::summary() const {
  std::vector<script::StudyPipeline> pipelines;
  for (const StudyCandidate &candidate : m_candidates) {
    pipelines.push_back({candidate.pipeline, medianOf(candidate.compileNs), medianOf(candidate.executeNs), candidate.made.codeBytes,
                         event::vectorizedLoops(candidate.made.trace.loops), candidate.isEqual,
                         candidate.error ? base::describe(*candidate.error) : ""});
  }
  return pipelines;
}

} // namespace jitscope::runtime
