// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <string>

namespace jitscope::analysis {

/// Where a loop comes from, which decides who can change it.
struct RemedyContext {
  bool isModules = false;        ///< the loop is in a module from elsewhere, not in a script's function
  bool isUnitByUnit = false;     ///< every pipeline concerned finishes functions or modules before it links them
  bool isCalleeCompiled = false; ///< the call in the way is of a function that was compiled with it
};

/// An instruction to the user that would let LLVM vectorize a scalar loop; empty if no remedy is known.
[[nodiscard]] std::string remedyFor(const event::LoopResult &loop, const RemedyContext &context);

} // namespace jitscope::analysis
