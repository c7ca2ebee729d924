// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace jitscope::script {

/// `; did you mean "zeros"?` for a name that is a typo of one of `known`; "" where none is near. Any thread.
std::string suggestionFor(std::string_view name, std::span<const std::string_view> known);

} // namespace jitscope::script
