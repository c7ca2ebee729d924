// SPDX-License-Identifier: GPL-3.0-or-later
// SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
#include "report/batch/sarif.h"
#include "event/loops.h"
#include "report/batch/batch_result.h"
#include "report/document/comparison_document.h"
#include "report/document/finding_sections.h"
#include "report/render/markup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace jitscope::report {

namespace {

using Json = nlohmann::ordered_json;

enum Rule : std::uint8_t { Expectation, Script, Slower, MoreCounted, NotVectorized, CannotTell };

struct RuleText {
  const char *id;
  const char *name;
  const char *text;
  const char *level;
};

/// In the order of `Rule`. A rule for each kind of finding follows them.
constexpr std::array<RuleText, 6> kRules{{
    {"expectation", "ExpectationFailed", "An expectation of a script failed.", "error"},
    {"script", "ScriptDidNotFinish", "A script failed, crashed or did not end in time.", "error"},
    {"slower", "SlowerThanBaseline", "The median of a benchmark grew significantly, by more than the threshold and the noise.",
     "error"},
    {"count", "CountedMoreThanBaseline",
     "A count of compiles, of calls that compiled, of templates or of vectorized loops got worse.", "error"},
    {"not-vectorized", "NotVectorized", "A loop stayed scalar, for the reason that LLVM gives.", "note"},
    {"cannot-tell", "CannotTellAgainstBaseline",
     "The median of a benchmark may have changed: the samples vary too much, or are too few, to tell.", "warning"},
}};

/// What a result is about.
struct RuleReference {
  std::string id;
  std::size_t index = 0;
  std::string level;
};

RuleReference ruleOf(Rule rule) { return {kRules[rule].id, rule, kRules[rule].level}; }

/// "finding/made-anew".
std::string ruleIdOf(analysis::FindingKind kind) { return fmt::format("finding/{}", nameOf(kind)); }

/// With a capital and a full stop.
std::string sentenceOf(std::string_view text) {
  std::string sentence(text);
  sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return sentence + ".";
}

/// "FindingMadeAnew".
std::string ruleNameOf(analysis::FindingKind kind) {
  std::string name = "Finding";
  bool isFirst = true;
  for (const char c : nameOf(kind)) {
    if (c != '-') {
      name += isFirst ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    }
    isFirst = c == '-';
  }
  return name;
}

RuleReference ruleOf(const ScriptFinding &entry) {
  const auto *const kind = std::ranges::find(analysis::kFindingKinds, entry.finding.kind);
  return {ruleIdOf(entry.finding.kind), kRules.size() + static_cast<std::size_t>(kind - analysis::kFindingKinds.begin()),
          entry.isForbidden ? "error" : "warning"};
}

class SarifBuilder {
public:
  /// With the rule's own level unless another one is given.
  void add(Rule rule, const ScriptResult &script, int line, int column, const std::string &message, const char *level = nullptr) {
    RuleReference reference = ruleOf(rule);
    reference.level = level != nullptr ? level : reference.level;
    add(reference, script, line, column, message);
  }
  void add(const RuleReference &rule, const ScriptResult &script, int line, int column, const std::string &message) {
    Json physical = {{"artifactLocation", {{"uri", encodeUri(relative(script.script))}}}};
    if (!isAbsolute(script.script)) {
      physical["artifactLocation"]["uriBaseId"] = "%SRCROOT%";
    }
    if (line > 0) {
      physical["region"] = {{"startLine", line}};
      if (column > 0) {
        physical["region"]["startColumn"] = column;
      }
    }
    m_results.push_back({{"ruleId", rule.id},
                         {"ruleIndex", rule.index},
                         {"level", rule.level},
                         {"message", {{"text", message}}},
                         {"locations", Json::array({{{"physicalLocation", std::move(physical)}}})}});
  }

  [[nodiscard]] std::string render(const BatchResult &batch) {
    Json rules = Json::array();
    for (const RuleText &rule : kRules) {
      rules.push_back({{"id", rule.id},
                       {"name", rule.name},
                       {"shortDescription", {{"text", rule.text}}},
                       {"defaultConfiguration", {{"level", rule.level}}}});
    }
    for (const analysis::FindingKind kind : analysis::kFindingKinds) {
      rules.push_back({{"id", ruleIdOf(kind)},
                       {"name", ruleNameOf(kind)},
                       {"shortDescription", {{"text", sentenceOf(meaningOf(kind))}}},
                       {"defaultConfiguration", {{"level", "warning"}}}});
    }
    const bool isWhole =
        std::ranges::all_of(batch.scripts, [](const ScriptResult &script) { return script.state == ScriptState::Finished; });
    const Json run = {{"tool", {{"driver", {{"name", "Jitscope"}, {"version", batch.version}, {"rules", std::move(rules)}}}}},
                      {"invocations", Json::array({{{"executionSuccessful", isWhole}}})},
                      {"columnKind", "unicodeCodePoints"},
                      {"results", std::move(m_results)}};
    const Json log = {
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
    constexpr int kIndent = 2;
    return log.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
  }

private:
  static bool isAbsolute(const std::string &path) { return path.starts_with('/'); }
  /// Absolute paths as file addresses; others without "./", so that they match the names in a repository.
  static std::string relative(std::string path) {
    while (path.starts_with("./")) {
      path.erase(0, 2);
    }
    return path;
  }

  Json m_results = Json::array();
};

void addScript(SarifBuilder &builder, const ScriptResult &script) {
  if (script.state != ScriptState::Finished) {
    builder.add(Script, script, 0, 0, fmt::format("{}: {}", nameOf(script.state), script.message));
  }
  for (const event::ExpectationEvent &entry : script.expectations) {
    if (!entry.passed) {
      builder.add(Expectation, script, entry.line, 0,
                  fmt::format("{}: expected {}, got {}", entry.name, entry.expected, entry.actual));
    }
  }
  for (const ScriptFinding &entry : script.findings) {
    builder.add(ruleOf(entry), script, entry.finding.line, 0,
                fmt::format("{}. {}", findingHeadline(entry.finding), fmt::join(findingParagraphs(entry.finding), " ")));
  }
  if (script.comparison) {
    for (const analysis::LegComparison &leg : script.comparison->legs) {
      const std::string name = fmt::format("{}, {}", event::caseName(leg.name, leg.input), nameOf(leg.leg));
      const analysis::CompareOptions &options = script.comparison->options;
      if (leg.verdict == analysis::Verdict::Worse) {
        builder.add(Slower, script, 0, 0, fmt::format("{}: {}", name, analysis::changeText(leg.change())));
      } else if (leg.verdict == analysis::Verdict::CannotTell) {
        builder.add(CannotTell, script, 0, 0, fmt::format("{}: {}", name, legRemark(leg, options)),
                    leg.mayBeSlower(options.threshold) ? nullptr : "note");
      }
    }
    for (const analysis::CountComparison &count : script.comparison->counts) {
      if (count.verdict == analysis::Verdict::Worse) {
        builder.add(MoreCounted, script, 0, 0,
                    fmt::format("{}{}: {} instead of {}", nameOf(count.key.count),
                                count.key.function.empty() ? "" : " of " + count.key.function, count.contender.value_or(0),
                                count.base.value_or(0)));
      }
    }
  }
  for (const analysis::LoopFinding &finding : script.scalarLoops) {
    std::string text = fmt::format("A loop of {} is scalar: {}", finding.function, event::reasonText(finding.loop));
    text += finding.remedy.empty() ? std::string() : fmt::format("; what would help: {}", finding.remedy);
    text += finding.isAgreed ? std::string() : fmt::format(" (under {})", fmt::join(finding.pipelines, ", "));
    builder.add(NotVectorized, script, finding.loop.line, finding.loop.column, text);
  }
}

} // namespace

std::string renderSarif(const BatchResult &batch) {
  SarifBuilder builder;
  for (const ScriptResult &script : batch.scripts) {
    addScript(builder, script);
  }
  return builder.render(batch);
}

} // namespace jitscope::report
