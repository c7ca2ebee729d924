// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"

#include <functional>

namespace jitscope::session {

/// Gives every function that hangs on a compile the id that `rename` has for it.
base::Result<void> renameFunctions(event::CompileEvent &compile,
                                   const std::function<base::Result<base::FunctionId>(base::FunctionId)> &rename);

} // namespace jitscope::session
