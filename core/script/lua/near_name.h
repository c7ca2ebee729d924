// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace jitscope::script {

/// The one of `known` that `name` is a typo of; "" where none is near. Of equally near ones the first by the alphabet. Any thread.
std::string_view nearestName(std::string_view name, std::span<const std::string_view> known);

/// `; did you mean "zeros"?` for a name that is a typo of one of `known`; "" where none is near. Any thread.
std::string suggestionFor(std::string_view name, std::span<const std::string_view> known);

} // namespace jitscope::script
