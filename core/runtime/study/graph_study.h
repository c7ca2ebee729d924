// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "runtime/study/study_compiles.h"
#include "script/host.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jitscope::runtime {

class Compiler;
class Dispatcher;
class TensorPool;
class VectorizationLog;

/// One graph under several pipelines: compiled, its results compared, its calls timed in turns. Past the cache: nothing is taken
/// from there, nothing is left there. One object for each study.
class GraphStudy {
public:
  struct Options {
    std::uint64_t executeBudgetNs = 300'000'000; ///< for the timed calls of one pipeline; at least three batches are made
    std::uint64_t batchNs = 2'000'000;           ///< what a batch of calls should take at least
    std::uint32_t batches = 15;
  };
  struct Services {
    StudyCompiles::Services common;
    TensorPool &pool;
    Compiler &compiler;
    Dispatcher &dispatcher;
    VectorizationLog &vectorization;
  };
  GraphStudy(Services services, Options options) : m_services(services), m_options(options) {}
  explicit GraphStudy(Services services) : GraphStudy(services, Options{}) {}

  /// As `Host::study`. ScriptInterrupted on a stop.
  base::Result<std::vector<script::StudyPipeline>> run(const script::StudyRequest &request, base::SectionId section);

private:
  base::Result<void> compareResults(StudyCompiles &compiles);
  base::Result<void> timeCalls(StudyCompiles &compiles, base::StudyId study);
  base::Result<std::uint64_t> timeBatch(const StudyCandidate &candidate, std::uint64_t calls);

  Services m_services;
  Options m_options;
  std::vector<const graph::Tensor *> m_inputs; ///< of every call, captures last
};

} // namespace jitscope::runtime
