// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/code/text_diff.h"
#include "report/render/text_style.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::report {

/// How one side of a row looks: most of it in one tone, what differs within it in another.
struct LineLook {
  Tone plain = Tone::Plain;
  Tone marked = Tone::Plain;
};

/// A line of code in at most `width` columns, with what differs marked. A longer one is cut, at its beginning as well when what
/// differs stands far behind. `width` 0: the whole line.
[[nodiscard]] std::string markedLine(std::string_view line, const std::vector<analysis::TextSpan> &spans, std::size_t width,
                                     LineLook look, const TextStyle &style);

/// The same, filled with spaces to the width.
[[nodiscard]] std::string paddedLine(std::string_view line, const std::vector<analysis::TextSpan> &spans, std::size_t width,
                                     LineLook look, const TextStyle &style);

} // namespace jitscope::report
