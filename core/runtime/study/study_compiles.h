// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "pipeline/observe/observation.h"
#include "script/host.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::base {
class Clock;
} // namespace jitscope::base
namespace jitscope::event {
class ActivityBoard;
class CompileActivity;
class Sink;
} // namespace jitscope::event

namespace jitscope::runtime {

class CompiledExecutable;
class IdRegistry;
class RunObserver;

/// What one compile of a study's input gave.
struct StudyCompile {
  std::uint64_t lowerNs = 0; ///< for modules: reading them
  std::uint64_t optimizeNs = 0;
  std::uint64_t codegenNs = 0;
  std::uint64_t linkNs = 0;
  std::uint64_t codeBytes = 0;
  std::uint64_t objects = 0;
  std::string target; ///< triple and CPU, for people
  pipeline::CompileTrace trace;
  std::shared_ptr<const CompiledExecutable> executable; ///< null for modules
};

/// One pipeline on its way through a study.
struct StudyCandidate {
  std::string pipeline;
  base::CompileId detailed;      ///< none: it failed
  StudyCompile made;             ///< by the compile in detail
  std::vector<double> compileNs; ///< of the timed repetitions, or of the one in detail if there are none
  std::uint64_t spentNs = 0;     ///< on timed repetitions
  std::vector<double> executeNs; ///< per call, of each batch
  bool isExecuted = false;
  bool isEqual = false;
  double maxUlp = 0;
  double ulpBound = 0;
  std::optional<base::Error> error;
};

/// The compiling half of a study, the same for graphs and modules: every pipeline once in detail, then in turns for the time alone,
/// so that the machine's moods meet all alike. Records each compile, and at the end the results.
class StudyCompiles {
public:
  struct Options {
    std::uint64_t budgetNs = 5'000'000'000; ///< for the timed repetitions of one pipeline; past it there are fewer
  };
  struct Services {
    const base::Clock &clock;
    event::Sink &sink;
    IdRegistry &ids;
    RunObserver &observer;
    const std::atomic<bool> &stopRequested;
    event::ActivityBoard *activities = nullptr; ///< where compiles say what they are doing; may be null
  };
  /// Compiles the input under a pipeline from the beginning.
  using Compile = std::function<base::Result<StudyCompile>(const std::string &pipeline, const pipeline::Observation &observation,
                                                           event::CompileActivity &activity)>;
  struct Subject {
    base::StudyId study;
    base::TemplateId templateId; ///< none for modules
    std::string name;
    pipeline::Observation observation; ///< of the compiles in detail
    Compile compile;
  };

  StudyCompiles(Services services, Subject subject, const std::vector<std::string> &pipelines, Options options);
  StudyCompiles(Services services, Subject subject, const std::vector<std::string> &pipelines);

  /// ScriptInterrupted on a stop, the first error when no pipeline could compile the input. Other errors stay with their
  /// candidates.
  base::Result<void> run(std::uint32_t repetitions);
  /// Records what each candidate has come to.
  void recordResults(std::uint32_t repetitions);
  /// The candidates as a script sees them.
  [[nodiscard]] std::vector<script::StudyPipeline> summary() const;

  [[nodiscard]] std::vector<StudyCandidate> &candidates() { return m_candidates; }
  /// ScriptInterrupted once a stop was asked for.
  [[nodiscard]] base::Result<void> checkStop() const;

private:
  void compileOnce(StudyCandidate &candidate, std::uint32_t repetition);

  Services m_services;
  Subject m_subject;
  Options m_options;
  std::vector<StudyCandidate> m_candidates;
};

} // namespace jitscope::runtime
