// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/reporter.h"
#include "report/render/document_html.h"
#include "report/render/document_markdown.h"
#include "report/render/document_text.h"

#include "report/document/session_document.h"
#include "report/export/csv_reporter.h"
#include "report/export/json_reporter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace jitscope::report {

namespace {

using analysis::Summary;

std::string renderSessionText(const Summary &summary, const ReportOptions &options) {
  return renderText(sessionDocument(summary, {.density = options.density, .rows = options.rows}), options);
}

std::string renderSessionMarkdown(const Summary &summary, const ReportOptions & /*options*/) {
  // Pages of a CI bound what they take, GitHub's at 1 MiB; the script is at hand there.
  constexpr std::size_t kRows = 50;
  constexpr std::size_t kScriptBytes = std::size_t{16} * 1024;
  return renderMarkdown(sessionDocument(summary, {.rows = kRows, .scriptBytes = kScriptBytes}));
}

std::string renderSessionHtml(const Summary &summary, const ReportOptions &options) {
  return renderHtml(sessionDocument(summary, {.charts = options.charts}));
}

struct Format {
  std::string_view name;
  Reporter::Render render;
};

constexpr std::array<Format, 5> kFormats{
    {{"text", renderSessionText},
     {"json", [](const Summary &summary, const ReportOptions &) { return renderJson(summary); }},
     {"markdown", renderSessionMarkdown},
     {"csv", [](const Summary &summary, const ReportOptions &) { return renderCsv(summary); }},
     {"html", renderSessionHtml}}};

} // namespace

std::vector<std::string_view> reportFormats() {
  std::vector<std::string_view> names;
  names.reserve(kFormats.size());
  for (const Format &format : kFormats) {
    names.push_back(format.name);
  }
  return names;
}

base::Result<Reporter> makeReporter(std::string_view format, const ReportOptions &options) {
  for (const Format &known : kFormats) {
    if (known.name == format) {
      return Reporter(known.render, options);
    }
  }
  return base::fail(base::ErrorCode::RuntimeOption,
                    fmt::format("unknown report format \"{}\"; choose one of {}", format, fmt::join(reportFormats(), ", ")));
}

} // namespace jitscope::report
