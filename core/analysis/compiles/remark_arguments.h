// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <string>
#include <string_view>

namespace jitscope::analysis {

/// The first argument of a remark with this key; empty where it has none or its arguments cannot be read.
[[nodiscard]] std::string argumentOf(const event::Remark &remark, std::string_view key);

} // namespace jitscope::analysis
