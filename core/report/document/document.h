// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/render/text_style.h"

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

/// A report before it has a format. All text is as it was recorded: each format makes it safe in its own way.
namespace jitscope::report {

struct DocumentColumn {
  std::string title;
  bool isNumber = true;      ///< set to the right
  std::size_t shrinksTo = 0; ///< in a terminal: see `TextTable::Column`
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
  /// What is said of a row on a line below it.
  struct Note {
    std::size_t row = 0;
    DocumentCell cell;
  };

  std::vector<DocumentColumn> columns;
  std::vector<std::vector<DocumentCell>> rows; ///< none longer than `columns`; missing cells stay empty
  std::vector<Note> notes = {};                ///< by their rows
  std::string more = {};                       ///< said below, e.g. "and 12 more templates"
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
  std::string title;
  std::vector<DocumentBlock> blocks;
  bool isSecondary = false; ///< folded away where a format can fold
};

struct Document {
  std::string title;
  std::vector<DocumentText> head; ///< below the title
  std::vector<DocumentSection> sections;
};

struct ReportOptions;

/// For a terminal. Sections without blocks are left out, in every format.
[[nodiscard]] std::string renderText(const Document &document, const ReportOptions &options);
/// One section of it; "" without blocks.
[[nodiscard]] std::string renderText(const DocumentSection &section, const ReportOptions &options);
/// GitHub's Markdown, with nothing in names that it would take for markup.
[[nodiscard]] std::string renderMarkdown(const Document &document);
/// One page of HTML with its style, without script, and with nothing to be fetched; well-formed XML, too, if its drawings are.
[[nodiscard]] std::string renderHtml(const Document &document);

} // namespace jitscope::report
