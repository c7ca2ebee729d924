// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/render/text_table.h"

#include "report/render/display_text.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace jitscope::report {

namespace {
constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kNoteIndent = 4;

std::size_t sumOf(const std::vector<std::size_t> &widths) { return std::accumulate(widths.begin(), widths.end(), std::size_t{0}); }

std::string withoutTrailingSpace(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}
} // namespace

void TextTable::addRow(std::vector<Cell> cells) {
  cells.resize(m_columns.size(), Cell(""));
  m_rows.push_back({std::move(cells), {}});
}

void TextTable::addNote(std::string text, Tone tone) { m_rows.back().notes.push_back({std::move(text), tone}); }

std::vector<std::size_t> TextTable::naturalWidths() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    std::size_t width = displayWidth(m_columns[i].title);
    for (const Row &row : m_rows) {
      width = std::max(width, displayWidth(row.cells[i].text));
    }
    widths.push_back(width);
  }
  return widths;
}

void TextTable::shrink(std::vector<std::size_t> &widths, std::size_t room) const {
  // Column by column from the widest, so that a short name does not pay for a long one beside it.
  while (sumOf(widths) > room) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool canShrink = m_columns[i].shrinksTo > 0 && widths[i] > m_columns[i].shrinksTo;
      if (canShrink && (widest == widths.size() || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    if (widest == widths.size()) {
      return;
    }
    --widths[widest];
  }
}

std::string TextTable::render(const TextStyle &style, std::size_t width) const {
  std::vector<std::size_t> widths = naturalWidths();
  std::size_t gap = kGap;
  const std::size_t gaps = m_columns.empty() ? 0 : m_columns.size() - 1;
  const auto roomWith = [&](std::size_t each) {
    const std::size_t taken = kIndent + gaps * each;
    return width > taken ? width - taken : 0;
  };
  shrink(widths, roomWith(gap));
  if (sumOf(widths) > roomWith(gap)) {
    // A narrow terminal: closer rather than wrapped.
    gap = 1;
    widths = naturalWidths();
    shrink(widths, roomWith(gap));
  }
  const auto pad = [&](const std::string &text, Tone tone, std::size_t index) {
    const std::string space(widths[index] - displayWidth(text), ' ');
    return m_columns[index].align == Align::Left ? style.apply(text, tone) + space : space + style.apply(text, tone);
  };
  const auto line = [&](const auto &cellAt) {
    std::string result(kIndent, ' ');
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
      result += (i == 0 ? "" : std::string(gap, ' ')) + cellAt(i);
    }
    return withoutTrailingSpace(std::move(result)) + "\n";
  };
  std::string result = line([&](std::size_t i) { return pad(elideMiddle(m_columns[i].title, widths[i]), Tone::Dim, i); });
  for (const Row &row : m_rows) {
    std::vector<std::vector<std::string>> lines;
    std::size_t height = 1;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
      const std::string &text = row.cells[i].text;
      lines.push_back(m_columns[i].wraps ? wrap(text, widths[i]) : std::vector{elideMiddle(text, widths[i])});
      height = std::max(height, lines.back().size());
    }
    for (std::size_t at = 0; at < height; ++at) {
      result += line([&](std::size_t i) { return pad(at < lines[i].size() ? lines[i][at] : std::string(), row.cells[i].tone, i); });
    }
    for (const Note &note : row.notes) {
      for (const std::string &part : wrap(note.text, width - kNoteIndent)) {
        result += std::string(kNoteIndent, ' ') + style.apply(part, note.tone) + "\n";
      }
    }
  }
  return result;
}

} // namespace jitscope::report
