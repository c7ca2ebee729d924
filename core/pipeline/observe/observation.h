// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace jitscope::pipeline {

/// When the IR of functions is recorded.
enum class IrDetail : std::uint8_t {
  Off,
  Stages, ///< as lowered, after each stage, and as emitted
  Passes  ///< after every pass that changed the function, too
};

/// What is recorded about a compile besides its phases. It does not change the code.
struct Observation {
  bool passes = true;        ///< time and effect of every pass, and the work on each function
  bool fingerprints = false; ///< of functions after passes that changed them
  IrDetail ir = IrDetail::Stages;
  bool allRemarks = false;                                    ///< from every pass there is, whatever `remarkPasses` names
  std::set<std::string> remarkPasses = defaultRemarkPasses(); ///< passes whose remarks are recorded; empty: none

  [[nodiscard]] bool wantsRemarks(const std::string &pass) const { return allRemarks || remarkPasses.contains(pass); }
  /// Loops are recorded wherever the loop vectorizer's remarks are.
  [[nodiscard]] bool wantsLoops() const { return wantsRemarks("loop-vectorize"); }
  static std::set<std::string> defaultRemarkPasses();
  /// Nothing at all: for timing a pipeline without overhead.
  static Observation none();

  friend bool operator==(const Observation &, const Observation &) = default;
};

/// What was written down.
struct CompileTrace {
  std::vector<event::FunctionWork> work; ///< by function id
  std::vector<event::PassRun> passes;
  std::vector<event::Remark> remarks;
  bool hasLoops = false; ///< `loops` were recorded
  std::vector<event::LoopResult> loops;
  std::vector<event::IrSnapshot> snapshots;
  std::uint64_t instructionsBefore = 0; ///< of all functions as they were lowered
  std::uint64_t instructionsAfter = 0;  ///< of what the process links, as the bytes of code are
};

} // namespace jitscope::pipeline
