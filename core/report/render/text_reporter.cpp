// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/render/text_reporter.h"

#include "analysis/summary.h"
#include "base/units.h"
#include "report/document/loop_sections.h"
#include "report/document/optimizer_sections.h"
#include "report/render/display_text.h"
#include "report/render/summary_rows.h"
#include "report/render/summary_text.h"
#include "report/render/text_sections.h"
#include "report/render/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace jitscope::report {

namespace {

std::string joined(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts) {
    if (!part.empty()) {
      text += (text.empty() ? "" : " · ") + part;
    }
  }
  return text;
}

/// One fact of the header, wrapped and indented.
std::string headerLine(const TextContext &context, const std::string &text, Tone tone) {
  std::string result;
  if (text.empty()) {
    return result;
  }
  for (const std::string &line : wrap(text, context.options.width - 2)) {
    result += fmt::format("  {}\n", context.style.apply(line, tone));
  }
  return result;
}

/// An error keeps its lines: the first is the message, the others say where it was met.
std::string errorLines(const TextContext &context, std::string_view error) {
  constexpr int kMaxLines = 20;
  std::string result;
  for (int line = 0; !error.empty() && line < kMaxLines; ++line) {
    const std::size_t end = std::min(error.find('\n'), error.size());
    result += headerLine(context, printable(error.substr(0, end)), Tone::Bad);
    error.remove_prefix(std::min(end + 1, error.size()));
  }
  return result;
}

} // namespace

std::string headerSection(const TextContext &context) {
  const session::SessionRow &session = context.summary.session;
  const session::SessionInfo &info = session.info;
  std::string result = context.heading(elide(printable(titleText(context.summary)), context.options.width));
  const std::string started =
      info.startedUtc.empty() ? std::string() : fmt::format(" · started {}", printable(timeText(info.startedUtc)));
  result += fmt::format("  {}{}\n", context.style.apply(statusText(session), toneOf(session.status)),
                        context.style.apply(started, Tone::Dim));
  result += errorLines(context, session.error);
  const auto named = [](std::string_view name, const std::string &version) {
    return version.empty() ? std::string() : fmt::format("{} {}", name, printable(version));
  };
  result += headerLine(context,
                       joined({named("Jitscope", info.jitscopeVersion), named("LLVM", info.llvmVersion), printable(info.cpu),
                               printable(info.os), named("host", info.host)}),
                       Tone::Dim);
  result += headerLine(context, printable(onlyText(context.summary)), Tone::Notable);
  if (info.callOverheadNs > 0) {
    result += headerLine(context,
                         fmt::format("recording costs {} a call, a look at the clock {}", base::formatDuration(info.callOverheadNs),
                                     base::formatDuration(info.clockReadNs)),
                         Tone::Dim);
  }
  return result;
}

std::string expectationSection(const TextContext &context) {
  const std::vector<event::ExpectationEvent> &all = context.summary.expectations;
  if (all.empty()) {
    return {};
  }
  const std::uint64_t failed = context.summary.expectationsFailed;
  std::string result = context.heading(
      failed == 0 ? fmt::format("Expectations: all {} met", base::formatCount(all.size()))
                  : fmt::format("Expectations: {} of {} failed", base::formatCount(failed), base::formatCount(all.size())));
  const std::size_t passedRows = failed > context.options.rows ? 0 : context.options.rows - static_cast<std::size_t>(failed);
  std::size_t passedShown = 0;
  // Failed ones first, all of them; what passed is told as far as there is room.
  for (const bool wanted : {false, true}) {
    for (std::size_t number = 1; const event::ExpectationEvent &entry : all) {
      const std::string script = scriptOfExpectation(context.summary, number++);
      if (entry.passed != wanted || (wanted && passedShown >= passedRows)) {
        continue;
      }
      passedShown += wanted ? 1 : 0;
      const std::string place =
          script.empty() ? fmt::format("line {:<4}", entry.line) : printable(script) + fmt::format(":{:<4}", entry.line);
      const std::string where = place + " " + printable(entry.name);
      const std::string what =
          wanted ? printable(entry.actual) : fmt::format("expected {}, got {}", printable(entry.expected), printable(entry.actual));
      result += fmt::format("  {}  ", context.style.apply(wanted ? "passed" : "FAILED", wanted ? Tone::Good : Tone::Bad));
      constexpr std::size_t kTaken = 10;
      const std::vector<std::string> lines =
          wrap(what.empty() ? where : fmt::format("{}: {}", where, what), context.options.width - kTaken);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        result += (i == 0 ? "" : std::string(kTaken, ' ')) + lines[i] + "\n";
      }
    }
  }
  if (const std::uint64_t more = all.size() - failed - passedShown; more > 0) {
    result += context.style.apply(fmt::format("  … and {} more that passed", base::formatCount(more)), Tone::Dim) + "\n";
  }
  return result;
}

std::string memorySection(const TextContext &context) {
  const analysis::Summary &summary = context.summary;
  std::string result;
  if (summary.memory.tensorPeakBytes > 0 || summary.memory.cacheEntriesPeak > 0) {
    result += context.heading("Memory");
    result += fmt::format("  tensors {} at most; cache {} executable{} with {} of code at most\n",
                          base::formatBytes(summary.memory.tensorPeakBytes), base::formatCount(summary.memory.cacheEntriesPeak),
                          summary.memory.cacheEntriesPeak == 1 ? "" : "s", base::formatBytes(summary.memory.cacheCodePeakBytes));
  }
  if (!summary.evictions.empty()) {
    result += (result.empty() ? "" : "\n") + context.heading("Evictions");
    TextTable table({{"Reason", TextTable::Align::Left, 10}, {"Count"}, {"Code"}});
    for (const analysis::EvictionSummary &entry : summary.evictions) {
      table.addRow({std::string(nameOf(entry.reason)), base::formatCount(entry.count), base::formatBytes(entry.codeBytes)});
    }
    result += table.render(context.style, context.options.width);
  }
  return result;
}

std::string warningSection(const TextContext &context) {
  if (context.summary.warnings.empty()) {
    return {};
  }
  std::string result = context.heading("Warnings");
  const BoundedRows<event::LogEvent> rows = warningRows(context.summary, context.options.rows);
  for (const event::LogEvent *entry : rows.shown) {
    const Tone tone = entry->level == event::LogLevel::Error ? Tone::Bad : Tone::Notable;
    const std::string text = fmt::format("{} at {}: {}", nameOf(entry->level),
                                         base::formatDuration(static_cast<double>(entry->atNs)), printable(entry->message));
    result += headerLine(context, text, tone);
  }
  if (const std::string more = warningsLeftOut(context.summary, rows); !more.empty()) {
    result += context.style.apply("  … " + more, Tone::Dim) + "\n";
  }
  return result;
}

TextReporter::TextReporter(const ReportOptions &options) : m_options(options) {
  constexpr std::size_t kNarrowest = 60;
  constexpr std::size_t kWidest = 200;
  m_options.width = std::clamp(m_options.width, kNarrowest, kWidest);
}

std::string TextReporter::render(const analysis::Summary &summary) const {
  const TextContext context{summary, m_options, TextStyle(m_options.colour)};
  using Section = std::string (*)(const TextContext &);
  constexpr std::array<Section, 16> kSections{headerSection,        studySection,       outcomeSection,  compileSection,
                                              stormSection,         missSection,        passSection,     loopSection,
                                              remarkSection,        retrievalSection,   templateSection, caseSection,
                                              scriptSectionSection, expectationSection, memorySection,   warningSection};
  std::string result;
  for (const Section section : kSections) {
    const std::string text = section(context);
    if (!text.empty()) {
      result += (result.empty() ? "" : "\n") + text;
    }
  }
  return result;
}

} // namespace jitscope::report
