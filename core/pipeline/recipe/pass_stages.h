// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace llvm {
class Module;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace jitscope::pipeline {

struct PipelineTools;

/// The parts that pipelines are put together from. All act at the level and with the vectorizers that the options ask for.
enum class Stage : std::uint8_t {
  Function, ///< LLVM's function simplification on every function: what can be done without knowing any other
  Link,     ///< modules are joined; no pass of LLVM's
  Cheap,    ///< a quick clean-up of a freshly linked module before its full optimization, as Numba does it
  Module,   ///< LLVM's whole per-module pipeline
  Program,  ///< the same over everything linked together, of functions that come simplified: callees are inlined first
  PreLink,  ///< callees inlined, then LLVM's ThinLTO pipeline up to linking: simplified, not yet vectorized
  PostLink  ///< the rest of it
};

/// As sessions spell it, e.g. "pre-link".
std::string_view nameOf(Stage stage);

/// Runs the passes of `stage`, which is not `Link`, over `module`. `callbacks` see every pass.
void runPasses(Stage stage, llvm::Module &module, const PipelineTools &tools, llvm::PassInstrumentationCallbacks &callbacks);

} // namespace jitscope::pipeline
