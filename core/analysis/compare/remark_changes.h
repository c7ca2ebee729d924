// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compiles/remark_groups.h"
#include "base/error.h"

#include <cstdint>
#include <string_view>
#include <vector>

/// Remarks of the optimizer that only one of two sessions has.
namespace jitscope::analysis {

enum class RemarkChangeKind : std::uint8_t {
  New,                    ///< only the contender has it, and the base would have recorded it
  Gone,                   ///< only the base has it, and the contender would have recorded it
  NotRecordedInBase,      ///< the base did not compile the function, or did not record such remarks
  NotRecordedInContender, ///< the same of the contender
};

/// "new", "gone", "not recorded in base", "not recorded in contender".
[[nodiscard]] std::string_view nameOf(RemarkChangeKind kind);

/// A remark that only one of the sessions has.
struct RemarkChange {
  RemarkChangeKind kind = RemarkChangeKind::New;
  RemarkGroup remark;
};

/// The remarks that only one of two sessions has: the contender's first, then the base's, each by function, line and column.
[[nodiscard]] base::Result<std::vector<RemarkChange>> readRemarkChanges(session::SessionReader &base,
                                                                        session::SessionReader &contender);

} // namespace jitscope::analysis
