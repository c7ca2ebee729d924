// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/render/text_style.h"
#include "report/reporter.h"

#include <string>
#include <string_view>

namespace jitscope::analysis {
struct Summary;
}

/// The sections of the text report. Each gives its heading and content, or nothing where there is nothing to say.
namespace jitscope::report {

/// What the sections have in common.
struct TextContext {
  const analysis::Summary &summary;
  const ReportOptions &options;
  TextStyle style;

  /// A heading on a line of its own.
  [[nodiscard]] std::string heading(std::string_view text) const { return style.apply(text, Tone::Heading) + "\n"; }
};

std::string headerSection(const TextContext &context);
std::string outcomeSection(const TextContext &context);
std::string compileSection(const TextContext &context);
std::string missSection(const TextContext &context);
std::string retrievalSection(const TextContext &context);
std::string scriptSectionSection(const TextContext &context);
std::string templateSection(const TextContext &context);
std::string stormSection(const TextContext &context);
std::string caseSection(const TextContext &context);
std::string expectationSection(const TextContext &context);
std::string memorySection(const TextContext &context);
std::string warningSection(const TextContext &context);

} // namespace jitscope::report
