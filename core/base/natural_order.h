// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <string_view>

namespace jitscope::base {

/// Compares texts as people sort them: numbers within them by value (negative ones, fractions, exponents and "inf", too), all else
/// character by character, small and capital letters of ASCII alike, a number before anything else. So "f32[9]" comes before
/// "f32[10]", "{-10}" before "{-9}" and "2.5" before "10". A total order: only equal texts are equal. Any thread.
[[nodiscard]] std::strong_ordering naturalOrder(std::string_view left, std::string_view right);
/// The same for texts in UTF-16, as the window has them.
[[nodiscard]] std::strong_ordering naturalOrder(std::u16string_view left, std::u16string_view right);

} // namespace jitscope::base
