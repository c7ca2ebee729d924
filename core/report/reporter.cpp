// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/reporter.h"

#include "report/document/document_reporter.h"
#include "report/export/csv_reporter.h"
#include "report/export/json_reporter.h"
#include "report/render/text_reporter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace jitscope::report {

namespace {

using Factory = std::unique_ptr<Reporter> (*)(const ReportOptions &);

struct Format {
  std::string_view name;
  Factory make;
};

constexpr std::array<Format, 5> kFormats{{
    {"text", [](const ReportOptions &options) -> std::unique_ptr<Reporter> { return std::make_unique<TextReporter>(options); }},
    {"json", [](const ReportOptions & /*options*/) -> std::unique_ptr<Reporter> { return std::make_unique<JsonReporter>(); }},
    {"markdown",
     [](const ReportOptions & /*options*/) -> std::unique_ptr<Reporter> { return std::make_unique<MarkdownReporter>(); }},
    {"csv", [](const ReportOptions & /*options*/) -> std::unique_ptr<Reporter> { return std::make_unique<CsvReporter>(); }},
    {"html",
     [](const ReportOptions &options) -> std::unique_ptr<Reporter> { return std::make_unique<HtmlReporter>(options.charts); }},
}};

} // namespace

std::vector<std::string_view> reportFormats() {
  std::vector<std::string_view> names;
  names.reserve(kFormats.size());
  for (const Format &format : kFormats) {
    names.push_back(format.name);
  }
  return names;
}

base::Result<std::unique_ptr<Reporter>> makeReporter(std::string_view format, const ReportOptions &options) {
  for (const Format &known : kFormats) {
    if (known.name == format) {
      return known.make(options);
    }
  }
  return base::fail(base::ErrorCode::RuntimeOption,
                    fmt::format("unknown report format \"{}\"; choose one of {}", format, fmt::join(reportFormats(), ", ")));
}

} // namespace jitscope::report
