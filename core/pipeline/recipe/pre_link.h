// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace jitscope::pipeline {

class Pipeline;

/// ThinLTO's pipeline up to linking for each function, cached for its callers; the rest once at the root.
std::unique_ptr<Pipeline> makePreLink();

} // namespace jitscope::pipeline
