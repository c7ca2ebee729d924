// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

/// One recipe for each pipeline, in a file of its name; `makePipeline` finds them.
namespace jitscope::pipeline {

class Pipeline;

/// Callee before caller: each function is finished, with its callees' finished bodies linked in, and emitted. As Numba does.
std::unique_ptr<Pipeline> makePerFunction();
/// Function passes on each function alone; then everything linked at the root, made internal, optimized once and emitted once.
std::unique_ptr<Pipeline> makeDeferred();
/// ThinLTO's pipeline up to linking for each function, cached for its callers; the rest once at the root.
std::unique_ptr<Pipeline> makePreLink();
/// Each function optimized and emitted on its own: calls stay calls.
std::unique_ptr<Pipeline> makeSeparate();

} // namespace jitscope::pipeline
