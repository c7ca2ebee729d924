// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analysis {

/// Those of the names that are most like one, the nearest first, at most `count`; each once. Near is what takes few letters more or
/// less.
[[nodiscard]] std::vector<std::string> nearNames(std::string_view name, std::vector<std::string> names, std::size_t count = 5);

} // namespace jitscope::analysis
