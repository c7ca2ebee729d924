// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace jitscope::pipeline {

class Pipeline;

/// Callee before caller: each function is finished, with its callees' finished bodies linked in, and emitted. As Numba does.
std::unique_ptr<Pipeline> makePerFunction();

} // namespace jitscope::pipeline
