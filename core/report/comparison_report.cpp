// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/comparison_report.h"
#include "report/document/comparison_document.h"
#include "report/export/comparison_json.h"
#include "report/render/document_html.h"
#include "report/render/document_markdown.h"
#include "report/render/document_text.h"

#include "report/reporter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace jitscope::report {

namespace {

using analysis::Comparison;
using ComparisonRender = std::string (*)(const Comparison &, const ReportOptions &);

struct ComparisonFormat {
  std::string_view name;
  ComparisonRender render;
};

constexpr std::array<ComparisonFormat, 4> kComparisonFormats{{
    {"text", [](const Comparison &comparison,
                const ReportOptions &options) { return renderText(comparisonDocument(comparison), options); }},
    {"json", [](const Comparison &comparison, const ReportOptions & /*options*/) { return renderComparisonJson(comparison); }},
    {"markdown", [](const Comparison &comparison,
                    const ReportOptions & /*options*/) { return renderMarkdown(comparisonDocument(comparison)); }},
    {"html",
     [](const Comparison &comparison, const ReportOptions & /*options*/) { return renderHtml(comparisonDocument(comparison)); }},
}};

} // namespace

std::vector<std::string_view> comparisonFormats() {
  std::vector<std::string_view> names;
  names.reserve(kComparisonFormats.size());
  for (const ComparisonFormat &format : kComparisonFormats) {
    names.push_back(format.name);
  }
  return names;
}

base::Result<std::string> renderComparison(const Comparison &comparison, std::string_view format, const ReportOptions &options) {
  for (const ComparisonFormat &known : kComparisonFormats) {
    if (known.name == format) {
      return known.render(comparison, options);
    }
  }
  return base::fail(base::ErrorCode::RuntimeOption, fmt::format("unknown format \"{}\" of a comparison; choose one of {}", format,
                                                                fmt::join(comparisonFormats(), ", ")));
}

} // namespace jitscope::report
