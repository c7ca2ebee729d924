// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/render/document_html.h"
#include "report/document/document.h"
#include "report/render/markup.h"
#include "report/render/report_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace jitscope::report {

namespace {

std::string_view classOf(Tone tone) {
  switch (tone) {
  case Tone::Heading:
    return "strong";
  case Tone::Dim:
    return "dim";
  case Tone::Good:
    return "good";
  case Tone::Bad:
    return "bad";
  case Tone::Notable:
    return "notable";
  case Tone::Plain:
    break;
  }
  return "";
}

/// An element with the class of its tone, and another class perhaps.
std::string element(std::string_view name, const std::string &text, Tone tone, std::string_view otherClass = {}) {
  std::string classes(classOf(tone));
  if (!otherClass.empty()) {
    classes += (classes.empty() ? "" : " ") + std::string(otherClass);
  }
  return classes.empty() ? fmt::format("<{0}>{1}</{0}>", name, escapeMarkup(text))
                         : fmt::format("<{0} class=\"{2}\">{1}</{0}>", name, escapeMarkup(text), classes);
}

class HtmlRenderer {
public:
  void operator()(const DocumentText &text) { m_result += element("p", text.text, text.tone) + "\n"; }

  void operator()(const DocumentHeading &heading) { m_result += element("h3", heading.text, Tone::Plain) + "\n"; }

  void operator()(const DocumentTable &table) {
    const std::vector<std::size_t> beside = table.columnsBeside();
    m_result += "<div class=\"wide\"><table>\n<thead><tr>";
    for (const std::size_t index : beside) {
      const DocumentColumn &column = table.columns[index];
      m_result +=
          fmt::format("<th scope=\"col\"{}>{}</th>", column.isNumber ? " class=\"number\"" : "", escapeMarkup(column.title));
    }
    m_result += "</tr></thead>\n<tbody>\n";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      m_result += "<tr>";
      for (const std::size_t index : beside) {
        m_result += cell(table.cell(row, index), table.columns[index].isNumber);
      }
      m_result += "</tr>\n";
      for (const std::size_t index : table.columnsBelow()) {
        if (const DocumentCell &note = table.cell(row, index); !note.text.empty()) {
          m_result += fmt::format("<tr class=\"note\"><td colspan=\"{}\">{}</td></tr>\n", beside.size(),
                                  element("span", note.text, note.tone));
        }
      }
    }
    m_result += "</tbody></table></div>\n";
    if (!table.more.empty()) {
      m_result += element("p", "… " + table.more, Tone::Dim) + "\n";
    }
  }

  void operator()(const DocumentList &list) {
    m_result += "<ul>\n";
    for (const DocumentCell &item : list.items) {
      std::string text = element("span", item.text, item.tone);
      for (const std::string &line : item.lines) {
        text += "<br />\n" + escapeMarkup(line);
      }
      m_result += item.lines.empty() ? element("li", item.text, item.tone) + "\n" : "<li>" + text + "</li>\n";
    }
    m_result += "</ul>\n";
  }

  void operator()(const DocumentCode &code) { m_result += fmt::format("<pre><code>{}</code></pre>\n", escapeMarkup(code.text)); }

  /// The drawing comes from this program and is put in as it is; of two, the style shows the one that fits.
  void operator()(const DocumentFigure &figure) {
    m_result += fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}\n</figure>\n", escapeMarkup(figure.caption),
                            figure.narrowSvg.empty() ? figure.svg
                                                     : fmt::format("<div class=\"roomy\">{}</div>\n<div class=\"narrow\">{}</div>",
                                                                   figure.svg, figure.narrowSvg));
  }

  void add(const std::string &markup) { m_result += markup; }
  [[nodiscard]] std::string take() { return std::move(m_result); }

private:
  static std::string cell(const DocumentCell &content, bool isNumber) {
    if (content.link.empty()) {
      return element("td", content.text, content.tone, isNumber ? "number" : "");
    }
    return fmt::format("<td><a href=\"{}\">{}</a></td>", escapeMarkup(encodeUri(content.link)), escapeMarkup(content.text));
  }

  std::string m_result;
};

/// A fragment identifier from a title: lower case, other characters as hyphens; with a number where it is taken.
std::string fragmentFor(const std::string &title, std::set<std::string> &taken) {
  std::string name;
  for (const char c : title) {
    const bool isPlain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    name += isPlain ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '-';
  }
  name.resize(std::min<std::size_t>(name.size(), 40));
  std::string result = name;
  for (int i = 2; !taken.insert(result).second; ++i) {
    result = fmt::format("{}-{}", name, i);
  }
  return result;
}

} // namespace

std::string renderHtml(const Document &document) {
  HtmlRenderer renderer;
  const std::string title = escapeMarkup(document.title);
  renderer.add(
      fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
                  "<meta name=\"color-scheme\" content=\"light dark\" />\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\" />\n"
                  "<title>{0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n",
                  title, kReportStyle));
  for (const DocumentText &line : document.head) {
    renderer(line);
  }
  renderer.add("</header>\n");
  std::set<std::string> taken;
  std::string links;
  std::vector<std::pair<const DocumentSection *, std::string>> sections;
  for (const DocumentSection &section : document.sections) {
    if (!section.blocks.empty()) {
      sections.emplace_back(&section, fragmentFor(section.title, taken));
      links += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", sections.back().second, escapeMarkup(section.title));
    }
  }
  if (sections.size() > 2) {
    renderer.add(fmt::format("<nav aria-label=\"Sections\"><ul>\n{}</ul></nav>\n", links));
  }
  renderer.add("<main>\n");
  for (const auto &[section, fragment] : sections) {
    const std::string heading = escapeMarkup(section->title);
    renderer.add(section->isSecondary
                     ? fmt::format("<section id=\"{}\">\n<details><summary><h2>{}</h2></summary>\n", fragment, heading)
                     : fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", fragment, heading));
    for (const DocumentBlock &block : section->blocks) {
      std::visit(renderer, block);
    }
    renderer.add(section->isSecondary ? "</details>\n</section>\n" : "</section>\n");
  }
  renderer.add("</main>\n</body>\n</html>\n");
  return renderer.take();
}

} // namespace jitscope::report
