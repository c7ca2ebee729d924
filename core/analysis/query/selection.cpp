// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/query/selection.h"

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
  constexpr auto kMaximum = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return ns < kMaximum ? ns : kMaximum;
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

/// What is outside of every section or case has NULL there, which the id 0 stands for.
std::string idCondition(const char *column, std::uint32_t id) {
  return id == 0 ? fmt::format("{} IS NULL", column) : fmt::format("{} = {}", column, id);
}

/// What only calls have. False when nothing was added.
bool addCallKinds(Condition &condition, const Selection &selection) {
  if (selection.sectionId) {
    condition.add(idCondition("section_id", selection.sectionId->value));
  }
  if (selection.caseId) {
    condition.add(idCondition("case_id", selection.caseId->value));
  }
  if (selection.outcome) {
    condition.add(fmt::format("outcome = '{}'", nameOf(*selection.outcome)));
  }
  return selection.sectionId || selection.caseId || selection.outcome;
}

/// What only calls have, of the call that something was made for; empty where nothing restricts.
std::string callKindsCondition(const Selection &selection, const std::string &alias) {
  Condition ofCall;
  return !addCallKinds(ofCall, selection)
             ? std::string()
             : fmt::format("{}.call_id IN (SELECT id FROM call_record WHERE context_id IN (SELECT id FROM call_context WHERE {}))",
                           alias, ofCall.text());
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

std::string compileCondition(const Selection &selection, const std::string &alias, base::CompileId only) {
  if (only.isValid()) {
    return fmt::format("{}.id = {}", alias, only.value);
  }
  Condition condition;
  addRange(condition, selection, alias + ".start_ns");
  addTemplates(condition, selection, alias + ".template_id");
  if (std::string ofCall = callKindsCondition(selection, alias); !ofCall.empty()) {
    // A study compiles without a call, yet in a section.
    if (selection.sectionId && !selection.caseId && !selection.outcome) {
      ofCall = fmt::format("({} OR {}.study_id IN (SELECT id FROM study WHERE {}))", ofCall, alias,
                           idCondition("section_id", selection.sectionId->value));
    }
    condition.add(ofCall);
  }
  return condition.text();
}

std::string retrievalCondition(const Selection &selection, const std::string &alias) {
  Condition condition;
  addRange(condition, selection, alias + ".start_ns");
  addTemplates(condition, selection, alias + ".template_id");
  if (const std::string ofCall = callKindsCondition(selection, alias); !ofCall.empty()) {
    condition.add(ofCall);
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
