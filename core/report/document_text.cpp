// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/display_text.h"
#include "report/document.h"
#include "report/reporter.h"
#include "report/text_table.h"

#include <algorithm>

namespace jitscope::report {

namespace {

class TextRenderer {
public:
  explicit TextRenderer(const ReportOptions &options)
      : m_style(options.colour), m_width(std::clamp(options.width, kNarrowest, kWidest)) {}

  void title(const std::string &text) { m_result += m_style.apply(elide(printable(text), m_width), Tone::Heading) + "\n"; }

  void operator()(const DocumentText &text) { addWrapped(text.text, text.tone, ""); }

  void operator()(const DocumentTable &table) {
    std::vector<TextTable::Column> columns;
    for (const DocumentColumn &column : table.columns) {
      columns.push_back(
          {printable(column.title), column.isNumber ? TextTable::Align::Right : TextTable::Align::Left, column.shrinksTo});
    }
    TextTable result(std::move(columns));
    for (const std::vector<DocumentCell> &row : table.rows) {
      std::vector<TextTable::Cell> cells;
      for (const DocumentCell &cell : row) {
        cells.emplace_back(printable(cell.text), cell.tone);
      }
      result.addRow(std::move(cells));
    }
    m_result += result.render(m_style, m_width);
    if (!table.more.empty()) {
      m_result += m_style.apply("  … " + printable(table.more), Tone::Dim) + "\n";
    }
  }

  void operator()(const DocumentList &list) {
    for (const DocumentCell &item : list.items) {
      addWrapped(item.text, item.tone, "- ");
    }
  }

  void operator()(const DocumentCode &code) {
    std::string_view rest = code.text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      m_result += "    " + printable(rest.substr(0, end)) + "\n";
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  /// A terminal shows no drawings.
  void operator()(const DocumentFigure & /*figure*/) {}

  [[nodiscard]] std::string take() { return std::move(m_result); }
  void emptyLine() { m_result += "\n"; }

private:
  static constexpr std::size_t kNarrowest = 60;
  static constexpr std::size_t kWidest = 200;

  /// Indented by two columns; lines after the first stand below the text behind `bullet`.
  void addWrapped(const std::string &text, Tone tone, const std::string &bullet) {
    constexpr std::size_t kIndent = 2;
    std::string lead = std::string(kIndent, ' ') + bullet;
    for (const std::string &line : wrap(printable(text), m_width - lead.size())) {
      m_result += lead + m_style.apply(line, tone) + "\n";
      lead = std::string(lead.size(), ' ');
    }
  }

  TextStyle m_style;
  std::size_t m_width;
  std::string m_result;
};

} // namespace

std::string renderText(const Document &document, const ReportOptions &options) {
  TextRenderer renderer(options);
  renderer.title(document.title);
  for (const DocumentText &line : document.head) {
    renderer(line);
  }
  for (const DocumentSection &section : document.sections) {
    if (section.blocks.empty()) {
      continue;
    }
    renderer.emptyLine();
    renderer.title(section.title);
    for (const DocumentBlock &block : section.blocks) {
      std::visit(renderer, block);
    }
  }
  return renderer.take();
}

} // namespace jitscope::report
