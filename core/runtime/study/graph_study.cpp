// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/study/graph_study.h"

#include "base/clock.h"
#include "base/try.h"
#include "event/sink.h"
#include "graph/graph.h"
#include "runtime/dispatch/argument_numbers.h"
#include "runtime/dispatch/compiler.h"
#include "runtime/dispatch/dispatcher.h"
#include "runtime/memory/tensor_pool.h"
#include "runtime/study/study_plan.h"
#include "runtime/study/ulp_difference.h"
#include "runtime/study/vectorization_log.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace jitscope::runtime {

using base::Result;

namespace {

/// glibc keeps libmvec within 4 ulp of the exact value; two results that do may be twice that apart.
constexpr double kVeclibUlp = 8;

/// How far results may be apart that count as equal.
double ulpBoundOf(const lower::CompileOptions &options) {
  return options.fastMath ? std::numeric_limits<double>::infinity() : options.veclib ? kVeclibUlp : 0;
}

} // namespace

Result<void> GraphStudy::compareResults(StudyCompiles &compiles) {
  std::optional<std::vector<graph::Tensor>> first;
  for (StudyCandidate &candidate : compiles.candidates()) {
    if (!candidate.made.executable) {
      continue;
    }
    Result<std::vector<graph::Tensor>> results = candidate.made.executable->run(m_inputs, m_services.pool);
    if (!results) {
      return std::unexpected(std::move(results.error()).within("while running what " + candidate.pipeline + " made"));
    }
    candidate.isExecuted = true;
    candidate.maxUlp = first ? maxUlpDifference(*first, *results) : 0;
    candidate.isEqual = candidate.maxUlp <= candidate.ulpBound;
    if (!first) {
      first = std::move(*results);
    }
  }
  return {};
}

/// Time of so many calls; results are freed in between, as a caller would.
Result<std::uint64_t> GraphStudy::timeBatch(const StudyCandidate &candidate, std::uint64_t calls) {
  const base::Clock &clock = m_services.common.clock;
  const std::uint64_t startNs = clock.nowNs();
  for (std::uint64_t i = 0; i < calls; ++i) {
    JITSCOPE_TRY_VOID(candidate.made.executable->run(m_inputs, m_services.pool));
  }
  return clock.nowNs() - startNs;
}

Result<void> GraphStudy::timeCalls(StudyCompiles &compiles, base::StudyId study) {
  constexpr std::uint32_t kMinBatches = 3;
  constexpr std::uint64_t kMaxCalls = 1'000'000;
  std::vector<StudyCandidate> &candidates = compiles.candidates();
  std::vector<std::uint64_t> calls(candidates.size(), 1);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].isExecuted) {
      JITSCOPE_TRY(const std::uint64_t oneNs, timeBatch(candidates[i], 1));
      calls[i] = std::clamp<std::uint64_t>(m_options.batchNs / std::max<std::uint64_t>(oneNs, 1), 1, kMaxCalls);
    }
  }
  std::vector<std::uint64_t> spentNs(candidates.size(), 0);
  for (std::uint32_t batch = 1; batch <= m_options.batches; ++batch) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      StudyCandidate &candidate = candidates[i];
      if (!candidate.isExecuted || (batch > kMinBatches && spentNs[i] > m_options.executeBudgetNs)) {
        continue;
      }
      if (Result<void> mayGoOn = compiles.checkStop(); !mayGoOn) {
        return mayGoOn;
      }
      JITSCOPE_TRY(const std::uint64_t batchNs, timeBatch(candidate, calls[i]));
      spentNs[i] += batchNs;
      candidate.executeNs.push_back(static_cast<double>(batchNs) / static_cast<double>(calls[i]));
      m_services.common.sink.record(event::StudyRunEvent{study, candidate.pipeline, batch, calls[i], batchNs});
    }
  }
  return {};
}

Result<std::vector<script::StudyPipeline>> GraphStudy::run(const script::StudyRequest &request, base::SectionId section) {
  JITSCOPE_TRY(const std::vector<std::string> pipelines, studiedPipelines(request.pipelines));
  const DispatchOptions &options = m_services.dispatcher.options();
  JITSCOPE_TRY(const lower::TargetSpec target, m_services.compiler.targetOf(options.compile));
  JITSCOPE_TRY(const TracedFunction traced, m_services.dispatcher.trace(request.function, request.arguments));
  const std::shared_ptr<const graph::Graph> &graph = traced.graph;
  JITSCOPE_TRY_VOID(base::within(checkArgumentNumbers(*graph, request.arguments), "while studying " + graph->name()));
  for (const script::Argument &argument : request.arguments) {
    if (const auto *tensor = std::get_if<graph::Tensor>(&argument)) {
      m_inputs.push_back(tensor);
    }
  }
  for (const graph::Tensor &capture : graph->captures()) {
    m_inputs.push_back(&capture);
  }
  const base::StudyId study = m_services.common.ids.nextStudy();
  m_services.common.sink.record(event::StudyEvent{study, section, request.function, graph->name(), request.line, false,
                                                  target.triple, target.cpu, lower::featuresBeyondCpu(target),
                                                  optionsWithoutPipeline(options.compile)});
  const pipeline::Observation observation = inDetail(options.observation);
  const auto compile = [&](const std::string &pipeline, const pipeline::Observation &observed,
                           event::CompileActivity &activity) -> Result<StudyCompile> {
    lower::CompileOptions compileOptions = options.compile;
    compileOptions.pipeline = pipeline;
    JITSCOPE_TRY(Compiled compiled,
                 m_services.compiler.compile({graph, compileOptions, nullptr, /*mayReuse=*/false, observed, &activity}));
    return StudyCompile{compiled.lowerNs,
                        compiled.optimizeNs,
                        compiled.codegenNs,
                        compiled.linkNs,
                        compiled.executable->codeBytes(),
                        compiled.emittedObjects,
                        std::move(compiled.target),
                        std::move(compiled.trace),
                        compiled.executable};
  };
  StudyCompiles compiles(m_services.common, {study, traced.templateId, graph->name(), observation, compile}, pipelines);
  for (StudyCandidate &candidate : compiles.candidates()) {
    candidate.ulpBound = ulpBoundOf(options.compile);
  }
  Result<void> done = compiles.run(request.repetitions);
  done = done ? compareResults(compiles) : done;
  done = done ? timeCalls(compiles, study) : done;
  for (const StudyCandidate &candidate : compiles.candidates()) {
    if (candidate.detailed.isValid()) {
      m_services.vectorization.compiled(*graph, candidate.pipeline, candidate.made.trace);
    }
  }
  // What there is by now is worth keeping, whatever came of the rest.
  compiles.recordResults(request.repetitions);
  if (!done) {
    return std::unexpected(std::move(done.error()));
  }
  return compiles.summary();
}

} // namespace jitscope::runtime
