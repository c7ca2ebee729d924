// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <cstdint>

namespace llvm {
class Module;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace jitscope::pipeline {

struct PipelineTools;

/// The lists of passes that pipelines are put together from. All act at the level and with the vectorizers that the options ask
/// for.
enum class PassList : std::uint8_t {
  Function, ///< LLVM's function simplification on every function: what can be done without knowing any other
  Cheap,    ///< a quick clean-up of a freshly linked module before its full optimization, as Numba does it
  Module,   ///< LLVM's whole per-module pipeline
  Program,  ///< the same over everything linked together, of functions that come simplified: callees are inlined first
  PreLink,  ///< callees inlined, then LLVM's ThinLTO pipeline up to linking: simplified, not yet vectorized
  PostLink  ///< the rest of it
};

/// The stage that a list is; `Program` is a `Module` of its own making.
event::Stage stageOf(PassList list);

/// Runs the passes of `list` over `module`. `callbacks` see every pass.
void runPasses(PassList list, llvm::Module &module, const PipelineTools &tools, llvm::PassInstrumentationCallbacks &callbacks);

} // namespace jitscope::pipeline
