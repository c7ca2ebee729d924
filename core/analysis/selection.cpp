// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/selection.h"

#include <fmt/format.h>

#include <limits>

namespace jitscope::analysis {

namespace {

/// Joins conditions by AND.
class Condition {
public:
  void add(const std::string &term) { m_text += (m_text.empty() ? "" : " AND ") + term; }
  [[nodiscard]] std::string text() const { return m_text.empty() ? "1" : m_text; }

private:
  std::string m_text;
};

/// SQLite's integers are signed.
std::uint64_t clamped(std::uint64_t ns) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return ns < kMost ? ns : kMost;
}

void addRange(Condition &condition, const Selection &selection, const std::string &column) {
  if (selection.range) {
    condition.add(
        fmt::format("{0} >= {1} AND {0} < {2}", column, clamped(selection.range->fromNs), clamped(selection.range->toNs)));
  }
}

void addTemplates(Condition &condition, const Selection &selection, const std::string &column) {
  if (selection.templateId) {
    condition.add(fmt::format("{} = {}", column, selection.templateId->value));
  }
  if (selection.functionId) {
    condition.add(fmt::format("{} IN (SELECT id FROM template WHERE function_id = {})", column, selection.functionId->value));
  }
}

/// What only calls have. False when nothing was added.
bool addCallKinds(Condition &condition, const Selection &selection) {
  // Calls outside of every section or case have NULL there, which the id 0 stands for.
  const auto addId = [&condition](const char *column, std::uint32_t id) {
    condition.add(id == 0 ? fmt::format("{} IS NULL", column) : fmt::format("{} = {}", column, id));
  };
  if (selection.sectionId) {
    addId("section_id", selection.sectionId->value);
  }
  if (selection.caseId) {
    addId("case_id", selection.caseId->value);
  }
  if (selection.outcome) {
    condition.add(fmt::format("outcome = '{}'", nameOf(*selection.outcome)));
  }
  return selection.sectionId || selection.caseId || selection.outcome;
}

} // namespace

std::string contextCondition(const Selection &selection) {
  Condition condition;
  addTemplates(condition, selection, "template_id");
  addCallKinds(condition, selection);
  return condition.text();
}

std::string callCondition(const Selection &selection) {
  Condition condition;
  addRange(condition, selection, "start_ns");
  if (const std::string context = contextCondition(selection); context != "1") {
    condition.add("context_id IN (SELECT id FROM call_context WHERE " + context + ")");
  }
  return condition.text();
}

std::string compileCondition(const Selection &selection, const std::string &alias) {
  Condition condition;
  addRange(condition, selection, alias + ".start_ns");
  addTemplates(condition, selection, alias + ".template_id");
  Condition ofCall;
  if (addCallKinds(ofCall, selection)) {
    condition.add(
        fmt::format("{}.call_id IN (SELECT id FROM call_record WHERE context_id IN (SELECT id FROM call_context WHERE {}))", alias,
                    ofCall.text()));
  }
  return condition.text();
}

std::string evictionCondition(const Selection &selection) {
  Condition condition;
  addRange(condition, selection, "at_ns");
  addTemplates(condition, selection, "template_id");
  return condition.text();
}

std::string momentCondition(const Selection &selection) {
  Condition condition;
  addRange(condition, selection, "at_ns");
  return condition.text();
}

} // namespace jitscope::analysis
