// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"
#include "event/event.h"

#include <cstdint>

namespace jitscope::session {

/// What hangs on a compile (a pass, a remark, a loop, work on a function), and which one.
template <typename Part> struct CompilePart {
  base::CompileId compileId;
  Part part;
};

/// Where a text of IR is kept and what of.
struct SnapshotRow {
  base::CompileId compileId;
  base::FunctionId functionId;
  event::Stage stage = event::Stage::None;
  std::uint32_t passSeq = 0; ///< 0: at the end of the stage
  std::int64_t irId = 0;     ///< equal texts share it
};

} // namespace jitscope::session
