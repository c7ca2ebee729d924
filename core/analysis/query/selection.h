// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"
#include "event/event.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jitscope::analysis {

/// A stretch of the session, nanoseconds since it began: from `fromNs` up to, and without, `toNs`.
struct TimeRange {
  std::uint64_t fromNs = 0;
  std::uint64_t toNs = 0;

  [[nodiscard]] std::uint64_t lengthNs() const { return toNs > fromNs ? toNs - fromNs : 0; }
  [[nodiscard]] bool contains(std::uint64_t ns) const { return ns >= fromNs && ns < toNs; }
  friend bool operator==(const TimeRange &, const TimeRange &) = default;
};

/// Which part of a session is looked at. What is empty does not restrict; what is set must hold together. A call lies in a range
/// if it began there; a compile belongs to the call it was made for, or to the section of its study. Ahead-of-time compiles, which
/// have neither, fail every condition on calls.
struct Selection {
  std::optional<TimeRange> range = {};
  std::optional<base::SectionId> sectionId = {};
  std::optional<base::FunctionId> functionId = {};
  std::optional<base::TemplateId> templateId = {};
  std::optional<base::CaseId> caseId = {};
  std::optional<event::Outcome> outcome = {};

  [[nodiscard]] bool isEmpty() const { return *this == Selection{}; }
  friend bool operator==(const Selection &, const Selection &) = default;
};

/// The conditions below are SQL of numbers and fixed names only, so that nothing needs quoting. Each is "1" where nothing
/// restricts.

/// On the columns of table `call_context`.
[[nodiscard]] std::string contextCondition(const Selection &selection);
/// On the columns of table `call_record`.
[[nodiscard]] std::string callCondition(const Selection &selection);
/// On table `compile`, by its alias: on one compile alone where it is given.
[[nodiscard]] std::string compileCondition(const Selection &selection, const std::string &alias, base::CompileId only = {});
/// On table `retrieval`, by its alias.
[[nodiscard]] std::string retrievalCondition(const Selection &selection, const std::string &alias);
/// On table `eviction`: range, function and template.
[[nodiscard]] std::string evictionCondition(const Selection &selection);
/// On a table with only `at_ns`: the range.
[[nodiscard]] std::string momentCondition(const Selection &selection);

} // namespace jitscope::analysis
