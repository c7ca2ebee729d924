// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// A report before it has a format. All text is as it was recorded: each format makes it safe in its own way.
namespace jitscope::report {

/// What a piece of text expresses by its looks.
enum class Tone : std::uint8_t { Plain, Heading, Dim, Good, Bad, Notable };

/// How much a document tells.
enum class Density : std::uint8_t {
  Short,    ///< what a terminal has room for
  Extended, ///< that, and every statistic of benchmarks
  Whole     ///< everything
};

/// How a format lays out the cells of a column. Markdown takes every column as `Plain`.
enum class ColumnLayout : std::uint8_t {
  Plain,
  Wrapped, ///< a terminal breaks long cells into lines instead of eliding them
  Grouped, ///< a terminal leaves out a cell that repeats the one above it
  Below    ///< text on a line of its own below the row, without the column's title
};

struct DocumentColumn {
  std::string title;
  bool isNumber = true;      ///< set to the right
  std::size_t shrinksTo = 0; ///< in a terminal: see `TextTable::Column`
  ColumnLayout layout = ColumnLayout::Plain;
};

struct DocumentCell {
  std::string text;
  Tone tone = Tone::Plain;
  std::string link = {};               ///< a relative address, in HTML only
  std::vector<std::string> lines = {}; ///< what follows on lines of its own, in lists only

  DocumentCell(std::string content, Tone style = Tone::Plain) // NOLINT(google-explicit-constructor)
      : text(std::move(content)), tone(style) {}
  DocumentCell(const char *content) : text(content) {} // NOLINT(google-explicit-constructor)
};

struct DocumentTable {
  std::vector<DocumentColumn> columns;
  std::vector<std::vector<DocumentCell>> rows; ///< none longer than `columns`; missing cells stay empty
  std::string more = {};                       ///< follows the table, e.g. "and 12 more templates"
  std::vector<double> bars = {};               ///< a share of 1 for each row, which a terminal draws as a bar; may be empty

  /// The indexes of the columns that are `ColumnLayout::Below`, or of all others.
  [[nodiscard]] std::vector<std::size_t> columnsBelow() const { return columnsWhere(true); }
  [[nodiscard]] std::vector<std::size_t> columnsBeside() const { return columnsWhere(false); }
  /// An empty cell where the row has none.
  [[nodiscard]] const DocumentCell &cell(std::size_t row, std::size_t column) const;

private:
  [[nodiscard]] std::vector<std::size_t> columnsWhere(bool isBelow) const;
};

/// A heading within a section.
struct DocumentHeading {
  std::string text;
};

/// Prose on lines of its own.
struct DocumentText {
  std::string text;
  Tone tone = Tone::Plain;
};

struct DocumentList {
  std::vector<DocumentCell> items;
};

/// Text whose lines and spaces count, such as a script.
struct DocumentCode {
  std::string text;
};

/// A drawing, which formats without drawings leave out together with its caption.
struct DocumentFigure {
  std::string svg; ///< an SVG element of its own
  std::string caption;
  std::string narrowSvg = {}; ///< the same drawn for narrow screens; may be empty
};

using DocumentBlock = std::variant<DocumentText, DocumentHeading, DocumentTable, DocumentList, DocumentCode, DocumentFigure>;

struct DocumentSection {
  std::string title = {};
  std::vector<DocumentBlock> blocks = {};
  bool isSecondary = false;      ///< folded away where a format can fold
  bool isLastInTerminal = false; ///< of a terminal the end is seen first, of a page the beginning
};

struct Document {
  std::string title;
  std::vector<DocumentText> head; ///< below the title
  std::vector<DocumentSection> sections;
};

} // namespace jitscope::report
