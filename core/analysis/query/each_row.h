// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <functional>
#include <string_view>

namespace jitscope::session {
class Database;
class Statement;
} // namespace jitscope::session

namespace jitscope::analysis {

/// Runs a query and shows each row to `visit`.
[[nodiscard]] base::Result<void> eachRow(session::Database &database, std::string_view sql,
                                         const std::function<void(const session::Statement &)> &visit);

} // namespace jitscope::analysis
