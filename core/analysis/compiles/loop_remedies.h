// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <string>

namespace jitscope::analysis {

/// Where a loop comes from, which decides who can do something about it.
struct RemedyContext {
  bool isModules = false;        ///< the loop is in a module from elsewhere, not in a script's function
  bool isUnitByUnit = false;     ///< every pipeline concerned finishes functions or modules before it links them
  bool isCalleeCompiled = false; ///< the call in the way is of a function that was compiled with it
};

/// What would let LLVM vectorize a loop that it left scalar, as an instruction to the user; empty where nothing that the user can
/// do is known to help.
[[nodiscard]] std::string remedyFor(const event::LoopResult &loop, const RemedyContext &context);

} // namespace jitscope::analysis
