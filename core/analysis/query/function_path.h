// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <vector>

/// The way of one function through a compile. Where callers' modules hold copies of it that are optimized as well, these are not on
/// it: it ends with the code that was made for the function itself.
namespace jitscope::analysis {

/// Whether the function was optimized to the end in a module of its own; otherwise the root's module holds it in the last stages.
[[nodiscard]] bool hasOwnModule(const event::CompileEvent &compile, base::FunctionId function);

/// The passes that changed the function on its way and left a fingerprint, in their order.
[[nodiscard]] std::vector<event::PassRun> changesOf(const event::CompileEvent &compile, base::FunctionId function);

/// What was said about the function on its way, in the order in which it was said.
[[nodiscard]] std::vector<event::Remark> remarksOf(const event::CompileEvent &compile, base::FunctionId function);

} // namespace jitscope::analysis
