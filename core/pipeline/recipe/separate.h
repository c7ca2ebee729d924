// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace jitscope::pipeline {

class Pipeline;

/// Each function optimized and emitted on its own: calls stay calls.
std::unique_ptr<Pipeline> makeSeparate();

} // namespace jitscope::pipeline
