// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/batch/junit.h"
#include "report/batch/batch_result.h"
#include "report/document/comparison_document.h"

#include "base/units.h"
#include "report/document/bench_text.h"
#include "report/document/finding_sections.h"
#include "report/render/display_text.h"
#include "report/render/markup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace jitscope::report {

namespace {

enum class Ending : std::uint8_t { Passed, Failure, Error, Skipped };

struct TestCase {
  std::string name;
  Ending ending = Ending::Passed;
  std::string type; ///< of the failure
  std::string message;
  double seconds = 0;
};

/// An attribute's value: one line, for parsers take line feeds for spaces, and not endless.
std::string attribute(std::string_view text) {
  constexpr std::size_t kLongest = 500;
  return escapeMarkup(elide(printable(text), kLongest));
}

TestCase runCase(const ScriptResult &script) {
  TestCase result;
  result.name = "runs to its end";
  result.seconds = script.seconds;
  if (script.state != ScriptState::Finished) {
    result.ending = Ending::Error;
    result.type = std::string(nameOf(script.state));
    result.message = script.message;
  }
  return result;
}

TestCase expectationCase(const event::ExpectationEvent &entry, std::size_t number) {
  TestCase result;
  // The number tells apart what stands in one line, and stays the same from run to run.
  result.name = fmt::format("line {}: {} ({})", entry.line, entry.name, number);
  if (!entry.passed) {
    result.ending = Ending::Failure;
    result.type = entry.name;
    result.message = fmt::format("expected {}, got {}", entry.expected, entry.actual);
  }
  return result;
}

/// One for each kind that was looked for, so that the cases are the same from run to run.
TestCase findingCase(const ScriptResult &script, analysis::FindingKind kind) {
  TestCase result;
  result.name = fmt::format("no finding: {}", nameOf(kind));
  for (const ScriptFinding &entry : script.findings) {
    if (entry.isForbidden && entry.finding.kind == kind) {
      result.ending = Ending::Failure;
      result.type = std::string(nameOf(kind));
      result.message += fmt::format("{}{}. {}", result.message.empty() ? "" : "\n", findingHeadline(entry.finding),
                                    fmt::join(findingParagraphs(entry.finding), " "));
    }
  }
  return result;
}

TestCase legCase(const analysis::LegComparison &leg, const analysis::CompareOptions &options) {
  TestCase result;
  result.name = fmt::format("time of {}, {}", event::caseName(leg.name, leg.input), legName(leg.leg));
  const std::string change = fmt::format("median {} instead of {} ({:+.1f} %)", base::formatDuration(leg.contenderMedianNs),
                                         base::formatDuration(leg.baseMedianNs), leg.change() * 100);
  switch (leg.verdict) {
  case analysis::Verdict::Worse:
    result.ending = Ending::Failure;
    result.message = change;
    break;
  case analysis::Verdict::CannotTell:
    // What may be slower must not pass; the rest is no reason to stop anybody.
    result.ending = leg.mayBeSlower(options.threshold) ? Ending::Error : Ending::Skipped;
    result.message = legRemark(leg, options);
    break;
  case analysis::Verdict::Equal:
  case analysis::Verdict::Better:
  case analysis::Verdict::NotJudged:
    break;
  }
  result.type = std::string(nameOf(leg.verdict));
  return result;
}

TestCase countsCase(const analysis::Comparison &comparison) {
  TestCase result;
  result.name = "counts";
  for (const analysis::CountComparison &count : comparison.counts) {
    if (count.verdict == analysis::Verdict::Worse) {
      result.ending = Ending::Failure;
      result.type = "count";
      result.message += fmt::format("{}{}{}: {} instead of {}", result.message.empty() ? "" : "; ", nameOf(count.key.count),
                                    count.key.function.empty() ? "" : " of " + count.key.function, count.contender.value_or(0),
                                    count.base.value_or(0));
    }
  }
  return result;
}

std::vector<TestCase> casesOf(const ScriptResult &script) {
  std::vector<TestCase> cases{runCase(script)};
  for (std::size_t i = 0; i < script.expectations.size(); ++i) {
    cases.push_back(expectationCase(script.expectations[i], i + 1));
  }
  for (const analysis::FindingKind kind : script.forbiddenKinds) {
    cases.push_back(findingCase(script, kind));
  }
  if (script.comparison) {
    for (const analysis::LegComparison &leg : script.comparison->legs) {
      cases.push_back(legCase(leg, script.comparison->options));
    }
    cases.push_back(countsCase(*script.comparison));
    // A leg that cannot be told is an error of its own.
    if (script.isInsufficient() && !script.comparison->insufficient.empty()) {
      cases.push_back({"can be compared", Ending::Error, "insufficient", script.comparison->insufficient.front()});
    }
  } else if (!script.baselineProblem.empty()) {
    cases.push_back({"comparison: " + script.baselineProblem, Ending::Skipped, {}, {}});
  }
  return cases;
}

std::string render(const TestCase &test, const std::string &className) {
  const std::string head = fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"", attribute(test.name),
                                       attribute(className), test.seconds);
  const auto with = [&](const char *element) {
    return fmt::format("{}>\n      <{} message=\"{}\" type=\"{}\">{}</{}>\n    </testcase>\n", head, element,
                       attribute(test.message), attribute(test.type), escapeMarkup(test.message), element);
  };
  switch (test.ending) {
  case Ending::Failure:
    return with("failure");
  case Ending::Error:
    return with("error");
  case Ending::Skipped:
    return head + (test.message.empty()
                       ? std::string(">\n      <skipped/>\n    </testcase>\n")
                       : fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", attribute(test.message)));
  case Ending::Passed:
    break;
  }
  return head + "/>\n";
}

/// "2024-05-01T12:00:00", as the schema wants it; a moment long ago where the start is not known.
std::string timestamp(const std::string &startedUtc) {
  constexpr std::size_t kSeconds = 19;
  return startedUtc.size() >= kSeconds ? startedUtc.substr(0, kSeconds) : "1970-01-01T00:00:00";
}

std::string renderSuite(const ScriptResult &script, std::size_t id) {
  const std::vector<TestCase> cases = casesOf(script);
  const auto count = [&cases](Ending ending) { return std::ranges::count(cases, ending, &TestCase::ending); };
  std::string result = fmt::format(
      "  <testsuite id=\"{}\" name=\"{}\" package=\"jitscope\" timestamp=\"{}\" hostname=\"{}\" tests=\"{}\" failures=\"{}\" "
      "errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n    <properties>\n",
      id, attribute(script.name), timestamp(script.startedUtc), script.host.empty() ? "localhost" : attribute(script.host),
      cases.size(), count(Ending::Failure), count(Ending::Error), count(Ending::Skipped), script.seconds);
  for (const auto &[name, value] :
       {std::pair("script", &script.script), {"session", &script.session}, {"llvm", &script.llvmVersion}}) {
    result += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, attribute(*value));
  }
  result += "    </properties>\n";
  for (const TestCase &test : cases) {
    result += render(test, script.name);
  }
  return result + fmt::format("    <system-out>{}</system-out>\n    <system-err></system-err>\n  </testsuite>\n",
                              escapeMarkup(script.output));
}

} // namespace

std::string renderJunit(const BatchResult &batch) {
  std::string result = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (std::size_t i = 0; i < batch.scripts.size(); ++i) {
    result += renderSuite(batch.scripts[i], i);
  }
  return result + "</testsuites>\n";
}

} // namespace jitscope::report
