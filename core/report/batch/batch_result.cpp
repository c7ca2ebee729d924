// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/batch/batch_result.h"
#include "report/document/comparison_document.h"
#include "report/export/comparison_json.h"
#include "report/export/finding_json.h"

#include "base/counted.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace jitscope::report {

std::string_view nameOf(ScriptState state) {
  switch (state) {
  case ScriptState::Finished:
    return "finished";
  case ScriptState::Failed:
    return "failed";
  case ScriptState::Crashed:
    return "crashed";
  case ScriptState::TimedOut:
    return "timed out";
  case ScriptState::NotStarted:
    break;
  }
  return "not started";
}

std::uint64_t ScriptResult::failedExpectations() const {
  return static_cast<std::uint64_t>(std::ranges::count(expectations, false, &event::ExpectationEvent::passed));
}

std::uint64_t ScriptResult::forbiddenFindings() const {
  return static_cast<std::uint64_t>(std::ranges::count(findings, true, &ScriptFinding::isForbidden));
}

bool ScriptResult::hasFailed() const {
  return state != ScriptState::Finished || failedExpectations() > 0 || forbiddenFindings() > 0 ||
         (comparison && comparison->hasRegressed());
}

bool ScriptResult::isInsufficient() const { return comparison && !comparison->isSufficientForScript(); }

std::string ScriptResult::verdict() const {
  if (state != ScriptState::Finished) {
    return std::string(nameOf(state));
  }
  if (const std::uint64_t failed = failedExpectations(); failed > 0) {
    return fmt::format("{} of {} expectations failed", failed, expectations.size());
  }
  if (const std::uint64_t forbidden = forbiddenFindings(); forbidden > 0) {
    return base::counted(forbidden, "forbidden finding");
  }
  if (comparison && (comparison->hasRegressed() || isInsufficient())) {
    return comparisonVerdict(*comparison);
  }
  return "passed";
}

bool BatchResult::hasFailed() const { return std::ranges::any_of(scripts, &ScriptResult::hasFailed); }

bool BatchResult::isInsufficient() const {
  return !problems.empty() || std::ranges::any_of(scripts, &ScriptResult::isInsufficient);
}

std::string renderBatchJson(const BatchResult &batch) {
  using Json = nlohmann::ordered_json;
  Json scripts = Json::array();
  for (const ScriptResult &script : batch.scripts) {
    Json expectations = Json::array();
    for (const event::ExpectationEvent &entry : script.expectations) {
      expectations.push_back({{"line", entry.line},
                              {"name", entry.name},
                              {"passed", entry.passed},
                              {"expected", entry.expected},
                              {"actual", entry.actual}});
    }
    std::vector<analysis::Finding> findings;
    Json forbidden = Json::array();
    for (const ScriptFinding &entry : script.findings) {
      if (entry.isForbidden) {
        forbidden.push_back(findings.size());
      }
      findings.push_back(entry.finding);
    }
    Json result = {{"script", script.script},
                   {"state", nameOf(script.state)},
                   {"failed", script.hasFailed()},
                   {"verdict", script.verdict()},
                   {"message", script.message},
                   {"session", script.session},
                   {"seconds", script.seconds},
                   {"expectations", std::move(expectations)},
                   {"findings", findingsJson(findings)},
                   {"forbidden_findings", std::move(forbidden)},
                   {"baseline_problem", script.baselineProblem}};
    result["comparison"] = script.comparison ? Json::parse(renderComparisonJson(*script.comparison)) : Json(nullptr);
    scripts.push_back(std::move(result));
  }
  const Json result = {{"failed", batch.hasFailed()},
                       {"sufficient", !batch.isInsufficient()},
                       {"shard", batch.shard},
                       {"problems", batch.problems},
                       {"scripts", std::move(scripts)}};
  constexpr int kIndent = 2;
  return result.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace jitscope::report
