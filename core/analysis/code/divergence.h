// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <optional>
#include <string>
#include <vector>

/// Where two pipelines diverge over one function, and what came of it.
namespace jitscope::analysis {

/// Code of a callee that one of the pipelines had changed, and the other had not, before it was inlined.
struct CalleeChange {
  std::vector<std::string> inlinedInto; ///< from the function itself down to what holds the callee
  std::string callee;
  bool isLeft = false;  ///< which pipeline had changed it
  event::PassRun pass;  ///< the change that says most: a vectorizer's, else the last one
  event::Remark remark; ///< what the pass said about it; empty `pass` where it said nothing
};

struct Divergence {
  std::string function;
  std::string leftPipeline;
  std::string rightPipeline;
  /// Both compiles hold fingerprints of the function. They are taken in studies only.
  bool isKnown = false;
  bool isEqual = false; ///< both made the same code in the end
  /// The last pass after which both had the same code; none where they never had.
  std::optional<event::PassRun> lastCommon;
  std::optional<event::PassRun> rightLastCommon; ///< the same pass as it ran on the right, where it may have another number
  /// The first pass on each side after which the code was never the same again; none where nothing changed it any more.
  std::optional<event::PassRun> left;
  std::optional<event::PassRun> right;
  std::vector<CalleeChange> callees; ///< why, where it was for what was inlined
  /// What the pipelines said about the function itself that differs and says most; empty `pass` where nothing does.
  event::Remark leftRemark;
  event::Remark rightRemark;
  std::vector<std::string> sentences; ///< all of this in words
};

/// Compares the fingerprints that the passes of two compiles of one input left. Each compile with passes and remarks.
[[nodiscard]] Divergence divergenceOf(base::FunctionId function, const event::CompileEvent &left, const event::CompileEvent &right,
                                      const std::vector<event::FunctionEvent> &functions);

} // namespace jitscope::analysis
