// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Text from scripts on its way to a terminal.
namespace jitscope::report {

/// The text with everything escaped that would move the cursor, change colours, reorder the line or is no UTF-8: "\n", "\x1b",
/// "\u{202e}". The result is valid UTF-8 on one line.
std::string printable(std::string_view text);

/// Columns that valid UTF-8 takes in a terminal: East Asian wide characters and emoji two, combining marks none.
std::size_t displayWidth(std::string_view text);

/// The text, or its beginning and "…" when it takes more than `width` columns.
std::string elide(std::string_view text, std::size_t width);

/// The text, or its beginning and its end with "…" between them when it takes more than `width` columns: of names that begin alike
/// the end is what tells them apart.
std::string elideMiddle(std::string_view text, std::size_t width);

/// The text in lines of at most `width` columns, broken at spaces where there are some; what does not fit into `maxLines` lines
/// is elided.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t maxLines = 6);

} // namespace jitscope::report
