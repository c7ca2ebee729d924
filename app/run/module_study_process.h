// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/followed_child.h"

#include "base/clock.h"
#include "runtime/dispatch/run_observer.h"
#include "runtime/study/module_study.h"

#include <string>
#include <string_view>
#include <vector>

namespace jitscope::event {
class Sink;
} // namespace jitscope::event

namespace jitscope::app {

/// Studies modules by starting this very command again: the child reads and optimizes them and records a session of its own in a
/// temporary folder, which is taken over from there while it goes on, also when the child crashes.
class ModuleStudyProcess final : public runtime::ModuleStudyLauncher {
public:
  struct Setup {
    base::ClockEpoch epoch; ///< of the session: the child's times stand on the same axis
    event::Sink &sink;
    runtime::RunObserver &observer; ///< notified of the child's progress
    FollowedChild::Services child;
  };
  explicit ModuleStudyProcess(Setup setup) : m_setup(setup) {}

  /// Whether the modules can be read and fit together, found out by a child that compiles nothing. CompileInput when they cannot,
  /// ScriptInterrupted on a stop; else as `launch`.
  base::Result<void> check(const runtime::ModuleStudyRequest &request);

  base::Result<std::vector<script::StudyPipeline>> launch(const runtime::ModuleStudyRequest &request,
                                                          runtime::IdRegistry &ids) override;

private:
  /// Runs the child; an error unless it did what it was asked to.
  base::Result<void> run(FollowedChild &child, std::vector<std::string> arguments, FollowedChild::Hooks hooks);

  Setup m_setup;
};

/// The child's side: reports the next step of the study to the parent on standard output.
class StepPrinter final : public runtime::RunObserver {
public:
  void printed(std::string_view /*text*/) override {}
  void sectionBegan(std::string_view /*name*/) override {}
  void legBegan(std::string_view /*caseName*/, std::string_view /*inputName*/, event::Leg /*leg*/,
                std::uint64_t /*plannedNs*/) override {}
  void legEnded() override {}
  void studyStep(std::string_view function, std::string_view pipeline, std::uint32_t repetition,
                 std::uint32_t repetitions) override;
  void studyEnded() override {}
};

} // namespace jitscope::app
