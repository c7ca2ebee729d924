// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/diff/diff_lines.h"

#include "base/utf8.h"
#include "report/render/display_text.h"

#include <algorithm>

namespace jitscope::report {

namespace {

using analysis::TextSpan;

constexpr std::string_view kEllipsis = "…";

/// The bytes of a line that are shown.
struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Window windowOf(std::string_view line, const std::vector<TextSpan> &spans, std::size_t width) {
  // Columns and bytes are the same for nearly all of IR; where they are not, the line is a little shorter than it could be.
  if (width == 0 || line.size() <= width) {
    return {0, line.size()};
  }
  constexpr std::size_t kLead = 16; // what is seen before the first mark
  std::size_t begin = 0;
  if (!spans.empty() && spans.front().begin + std::min<std::size_t>(spans.front().length, kLead) + 1 > width) {
    begin = base::characterStart(line, spans.front().begin - std::min(spans.front().begin, kLead));
  }
  const bool isCutBefore = begin > 0;
  std::size_t end = std::min(line.size(), begin + width - (isCutBefore ? 1 : 0));
  if (end < line.size()) {
    end = base::characterStart(line, end - 1);
  }
  return {begin, std::max(begin, end)};
}

struct MarkedText {
  std::string text;
  std::size_t columns = 0;
};

MarkedText mark(std::string_view line, const std::vector<TextSpan> &spans, std::size_t width, LineLook look,
                const TextStyle &style) {
  const Window window = windowOf(line, spans, width);
  MarkedText result;
  const auto add = [&](std::string_view part, Tone tone) {
    const std::string shown = printable(part);
    result.columns += displayWidth(shown);
    result.text += style.apply(shown, tone);
  };
  if (window.begin > 0) {
    add(kEllipsis, Tone::Dim);
  }
  std::size_t at = window.begin;
  for (const TextSpan &span : spans) {
    const std::size_t begin = std::clamp(span.begin, at, window.end);
    const std::size_t end = std::clamp(span.begin + span.length, begin, window.end);
    add(line.substr(at, begin - at), look.plain);
    add(line.substr(begin, end - begin), look.marked);
    at = end;
  }
  add(line.substr(at, window.end - at), look.plain);
  if (window.end < line.size()) {
    add(kEllipsis, Tone::Dim);
  }
  return result;
}

} // namespace

std::string markedLine(std::string_view line, const std::vector<TextSpan> &spans, std::size_t width, LineLook look,
                       const TextStyle &style) {
  return mark(line, spans, width, look, style).text;
}

std::string paddedLine(std::string_view line, const std::vector<TextSpan> &spans, std::size_t width, LineLook look,
                       const TextStyle &style) {
  MarkedText marked = mark(line, spans, width, look, style);
  return std::move(marked.text) + std::string(width - std::min(width, marked.columns), ' ');
}

} // namespace jitscope::report
