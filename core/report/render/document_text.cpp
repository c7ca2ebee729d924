// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/render/document_text.h"
#include "report/document/document.h"
#include "report/render/display_text.h"
#include "report/render/text_table.h"
#include "report/reporter.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jitscope::report {

namespace {

template <typename Block> bool isA(const DocumentBlock &block) { return std::holds_alternative<Block>(block); }

std::string bar(double share, std::size_t columns) {
  std::string result;
  for (auto filled = std::lround(share * static_cast<double>(columns)); filled > 0; --filled) {
    result += "▪";
  }
  return result;
}

class TextRenderer {
public:
  explicit TextRenderer(const ReportOptions &options)
      : m_style(options.colour), m_width(std::clamp(options.width, kNarrowest, kWidest)) {}

  void title(const std::string &text) { m_result += m_style.apply(elide(printable(text), m_width), Tone::Heading) + "\n"; }

  void operator()(const DocumentText &text) { addWrapped(text.text, text.tone, ""); }

  void operator()(const DocumentHeading &heading) {
    m_result +=
        "\n" + std::string(kIndent, ' ') + m_style.apply(elide(printable(heading.text), m_width - kIndent), Tone::Heading) + "\n";
  }

  void operator()(const DocumentTable &table) {
    constexpr std::size_t kMaxBarColumns = 40;
    const std::vector<std::size_t> beside = table.columnsBeside();
    std::vector<TextTable::Column> columns;
    for (const std::size_t index : beside) {
      const DocumentColumn &column = table.columns[index];
      columns.push_back({printable(column.title), column.isNumber ? TextTable::Align::Right : TextTable::Align::Left,
                         column.shrinksTo, column.layout == ColumnLayout::Wrapped});
    }
    if (!table.bars.empty()) {
      columns.push_back({"", TextTable::Align::Left});
    }
    TextTable result(std::move(columns));
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      std::vector<TextTable::Cell> cells;
      for (const std::size_t index : beside) {
        const DocumentCell &cell = table.cell(row, index);
        const bool isRepeat =
            table.columns[index].layout == ColumnLayout::Grouped && row > 0 && table.cell(row - 1, index).text == cell.text;
        cells.emplace_back(isRepeat ? std::string() : printable(cell.text), cell.tone);
      }
      if (row < table.bars.size()) {
        cells.emplace_back(bar(table.bars[row], std::min(kMaxBarColumns, m_width / 2)));
      }
      result.addRow(std::move(cells));
      for (const std::size_t index : table.columnsBelow()) {
        if (const DocumentCell &cell = table.cell(row, index); !cell.text.empty()) {
          result.addNote(printable(cell.text), cell.tone);
        }
      }
    }
    m_result += result.render(m_style, m_width);
    if (!table.more.empty()) {
      m_result += m_style.apply("  … " + printable(table.more), Tone::Dim) + "\n";
    }
  }

  void operator()(const DocumentList &list) {
    for (const DocumentCell &item : list.items) {
      addWrapped(item.text, item.tone, "- ");
      for (const std::string &line : item.lines) {
        addWrapped(line, item.tone, "  ");
      }
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

  void section(const DocumentSection &section) {
    title(section.title);
    for (std::size_t i = 0; i < section.blocks.size(); ++i) {
      // Tables run into what stands above them otherwise, and lists into tables; other text below a table belongs to it.
      const bool isApart = i > 0 && !isA<DocumentHeading>(section.blocks[i - 1]) &&
                           (isA<DocumentTable>(section.blocks[i]) ||
                            (isA<DocumentList>(section.blocks[i]) && isA<DocumentTable>(section.blocks[i - 1])));
      m_result += isApart ? "\n" : "";
      std::visit(*this, section.blocks[i]);
    }
  }

  [[nodiscard]] std::string take() { return std::move(m_result); }
  void emptyLine() { m_result += "\n"; }

private:
  static constexpr std::size_t kNarrowest = 60;
  static constexpr std::size_t kWidest = 200;
  static constexpr std::size_t kIndent = 2;

  /// Indented by two columns; lines after the first stand below the text behind `bullet`.
  void addWrapped(const std::string &text, Tone tone, const std::string &bullet) {
    constexpr std::size_t kMaxLines = 8;
    std::string lead = std::string(kIndent, ' ') + bullet;
    for (const std::string &line : wrap(printable(text), m_width - lead.size(), kMaxLines)) {
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
  for (const bool isLast : {false, true}) {
    for (const DocumentSection &section : document.sections) {
      if (section.isLastInTerminal == isLast && !section.blocks.empty()) {
        renderer.emptyLine();
        renderer.section(section);
      }
    }
  }
  return renderer.take();
}

} // namespace jitscope::report
