// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace jitscope::pipeline {

class Pipeline;

/// Function passes on each function alone; then everything linked at the root, made internal, optimized once and emitted once.
std::unique_ptr<Pipeline> makeDeferred();

} // namespace jitscope::pipeline
