// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/render/text_style.h"

#include <cstddef>
#include <string>
#include <vector>

namespace jitscope::report {

/// An aligned table for a terminal. Cells are valid UTF-8 on one line (see `printable`).
class TextTable {
public:
  enum class Align : std::uint8_t { Left, Right };

  struct Column {
    std::string title;
    Align align = Align::Right;
    /// A column whose text may be elided down to this width; 0 for one that never is.
    std::size_t shrinksTo = 0;
    /// Text that is too long is broken into lines instead of elided.
    bool wraps = false;
  };

  struct Cell {
    std::string text;
    Tone tone = Tone::Plain;
    Cell(std::string content, Tone style = Tone::Plain)
        : text(std::move(content)), tone(style) {} // NOLINT(google-explicit-constructor)
    Cell(const char *content) : text(content) {}   // NOLINT(google-explicit-constructor)
  };

  explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}

  /// Adds a row; missing cells stay empty.
  void addRow(std::vector<Cell> cells);
  /// Adds a line of prose below the last row, wrapped to the table's width.
  void addNote(std::string text, Tone tone = Tone::Dim);
  [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }

  /// The table with a line of titles, indented by two columns, in at most `width` columns as far as its columns can shrink.
  [[nodiscard]] std::string render(const TextStyle &style, std::size_t width) const;

private:
  struct Note {
    std::string text;
    Tone tone;
  };
  struct Row {
    std::vector<Cell> cells;
    std::vector<Note> notes;
  };

  [[nodiscard]] std::vector<std::size_t> naturalWidths() const;
  void shrink(std::vector<std::size_t> &widths, std::size_t room) const;

  std::vector<Column> m_columns;
  std::vector<Row> m_rows;
};

} // namespace jitscope::report
