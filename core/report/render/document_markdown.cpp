// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/render/document_markdown.h"
#include "report/document/document.h"
#include "report/render/display_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <string_view>

namespace jitscope::report {

namespace {

/// On one line, with a backslash before all that Markdown or the HTML within it could take for markup
/// (https://spec.commonmark.org/0.31.2/#backslash-escapes). What is long is cut: a page of a CI shows it all the same.
std::string escaped(std::string_view text) {
  constexpr std::size_t kLongest = 400;
  constexpr std::string_view kSpecial = R"(\`*_{}[]<>#!|~&$@)";
  std::string result;
  for (const char c : elide(printable(text), kLongest)) {
    if (kSpecial.contains(c)) {
      result += '\\';
    }
    result += c;
  }
  // At the beginning of a line these make lists and headings.
  if (!result.empty() && std::string_view("-+=").contains(result.front())) {
    result.insert(0, "\\");
  }
  return result;
}

std::string toned(const std::string &text, Tone tone) {
  if (text.empty()) {
    return text;
  }
  return tone == Tone::Bad ? "**" + text + "**" : text;
}

class MarkdownRenderer {
public:
  void heading(int level, const std::string &text) {
    m_result += fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(level), '#'), escaped(text));
  }

  void operator()(const DocumentText &text) { m_result += toned(escaped(text.text), text.tone) + "\n\n"; }

  void operator()(const DocumentHeading &text) { heading(3, text.text); }

  /// Markdown has no cells over several columns: what stands below rows elsewhere is a column here, unless it is empty.
  void operator()(const DocumentTable &table) {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto isFilled = [&](std::size_t row) { return !table.cell(row, i).text.empty(); };
      if (table.columns[i].layout != ColumnLayout::Below ||
          std::ranges::any_of(std::views::iota(0UZ, table.rows.size()), isFilled)) {
        columns.push_back(i);
      }
    }
    addRow(columns, [&](std::size_t i) { return escaped(table.columns[i].title); });
    addRow(columns, [&](std::size_t i) { return std::string(table.columns[i].isNumber ? "---:" : ":---"); });
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      addRow(columns, [&](std::size_t i) { return toned(escaped(table.cell(row, i).text), table.cell(row, i).tone); });
    }
    m_result += table.more.empty() ? "\n" : "\n… " + escaped(table.more) + "\n\n";
  }

  void operator()(const DocumentList &list) {
    for (const DocumentCell &item : list.items) {
      m_result += "- " + toned(escaped(item.text), item.tone) + "\n";
      for (const std::string &line : item.lines) {
        m_result += "  <br>" + escaped(line) + "\n";
      }
    }
    m_result += "\n";
  }

  void operator()(const DocumentCode &code) {
    // A fence longer than any run of backticks within.
    std::size_t longest = 2;
    std::size_t run = 0;
    for (const char c : code.text) {
      run = c == '`' ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    m_result += fmt::format("{}\n{}{}{}\n\n", fence, code.text, code.text.ends_with('\n') ? "" : "\n", fence);
  }

  /// Pages that show Markdown do not show drawings within it.
  void operator()(const DocumentFigure & /*figure*/) {}

  /// A part that can be unfolded; GitHub and GitLab keep this element.
  void beginFolded(const std::string &title) { m_result += fmt::format("<details><summary>{}</summary>\n\n", escaped(title)); }
  void endFolded() { m_result += "</details>\n\n"; }

  [[nodiscard]] std::string take() {
    while (m_result.ends_with("\n\n")) {
      m_result.pop_back();
    }
    return std::move(m_result);
  }

private:
  template <typename ToText> void addRow(const std::vector<std::size_t> &columns, const ToText &toText) {
    m_result += "|";
    for (const std::size_t column : columns) {
      m_result += " " + toText(column) + " |";
    }
    m_result += "\n";
  }

  std::string m_result;
};

} // namespace

std::string renderMarkdown(const Document &document) {
  MarkdownRenderer renderer;
  renderer.heading(1, document.title);
  for (const DocumentText &line : document.head) {
    renderer(line);
  }
  for (const DocumentSection &section : document.sections) {
    const auto isShown = [](const DocumentBlock &block) { return !std::holds_alternative<DocumentFigure>(block); };
    if (!std::ranges::any_of(section.blocks, isShown)) {
      continue;
    }
    if (section.isSecondary) {
      renderer.beginFolded(section.title);
    } else {
      renderer.heading(2, section.title);
    }
    for (const DocumentBlock &block : section.blocks) {
      std::visit(renderer, block);
    }
    if (section.isSecondary) {
      renderer.endFolded();
    }
  }
  return renderer.take();
}

} // namespace jitscope::report
