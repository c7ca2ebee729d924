// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/query/selection_text.h"

#include "analysis/query/near_names.h"
#include "base/number.h"
#include "base/try.h"
#include "session/session_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

namespace jitscope::analysis {

namespace {

using base::ErrorCode;
using base::Result;

constexpr std::array<std::string_view, 7> kKeys{"section", "function", "template", "case", "outcome", "from", "to"};
constexpr std::uint64_t kEndOfTimeNs = std::numeric_limits<std::int64_t>::max();
constexpr double kNsPerSecond = 1e9;

/// What something is called: by reports, and perhaps shorter.
struct Name {
  std::uint32_t id = 0;
  std::string label;
  std::string plain;

  [[nodiscard]] bool is(std::string_view value) const { return label == value || plain == value; }
};

/// Names of all rows that a query of the reader gives.
template <typename Row, typename NameOf> Result<std::vector<Name>> namesOf(const Result<std::vector<Row>> &rows, NameOf nameOf) {
  if (!rows) {
    return std::unexpected(rows.error());
  }
  std::vector<Name> names;
  std::ranges::transform(*rows, std::back_inserter(names), nameOf);
  return names;
}

/// Everything of a kind ("section", "function", "template", "case") that the session has.
Result<std::vector<Name>> namesOfKind(session::SessionReader &reader, std::string_view kind) {
  if (kind == "section") {
    return namesOf(reader.sections(),
                   [](const event::SectionEvent &row) { return Name{row.id.value, event::sectionLabel(row.name), row.name}; });
  }
  if (kind == "function") {
    return namesOf(reader.functions(), [](const event::FunctionEvent &row) {
      return Name{row.id.value, event::functionLabel(row.name, row.line), row.name};
    });
  }
  if (kind == "template") {
    return namesOf(reader.templates(),
                   [](const event::TemplateEvent &row) { return Name{row.id.value, row.signature, row.signature}; });
  }
  return namesOf(reader.benchCases(), [](const event::BenchCaseEvent &row) {
    return Name{row.id.value, event::caseName(row.name, row.input), row.name};
  });
}

std::unexpected<base::Error> refuse(std::string message) { return base::fail(ErrorCode::RuntimeOption, std::move(message)); }

/// The id that a value stands for.
Result<std::uint32_t> idOf(session::SessionReader &reader, std::string_view kind, const std::string &value) {
  JITSCOPE_TRY(const std::vector<Name> names, namesOfKind(reader, kind));
  if (value.starts_with('#')) {
    const std::optional<std::uint32_t> id = base::numberFrom<std::uint32_t>(std::string_view(value).substr(1));
    // What belongs to no section or case has the id 0 for it.
    const bool isNone = id == 0U && (kind == "section" || kind == "case");
    const bool isKnown = id && (isNone || std::ranges::find(names, *id, &Name::id) != names.end());
    return isKnown ? Result<std::uint32_t>(*id) : refuse(fmt::format("the session has no {} {}", kind, value));
  }
  std::vector<const Name *> found;
  for (const Name &name : names) {
    if (name.is(value)) {
      found.push_back(&name);
    }
  }
  // A case without an input is meant by its name rather than those that have one, too.
  if (kind == "case" && std::ranges::any_of(found, [&value](const Name *name) { return name->label == value; })) {
    std::erase_if(found, [&value](const Name *name) { return name->label != value; });
  }
  if (found.size() == 1) {
    return found.front()->id;
  }
  if (found.size() > 1) {
    std::vector<std::string> choices;
    std::ranges::transform(found, std::back_inserter(choices), [&value](const Name *name) {
      return name->label == value ? fmt::format("#{}", name->id) : fmt::format("{} (#{})", name->label, name->id);
    });
    return refuse(
        fmt::format("{} {}s are called \"{}\"; give one as {}=#id: {}", found.size(), kind, value, kind, fmt::join(choices, ", ")));
  }
  std::vector<std::string> known;
  std::ranges::transform(names, std::back_inserter(known), [](const Name &name) { return fmt::format("\"{}\"", name.label); });
  constexpr std::size_t kMaximum = 5;
  const std::vector<std::string> near = nearNames(fmt::format("\"{}\"", value), known, kMaximum);
  if (near.empty()) {
    return refuse(fmt::format("no {} is called \"{}\": the session has none", kind, value));
  }
  return refuse(fmt::format("no {} is called \"{}\"; there is {}{}", kind, value, fmt::join(near, ", "),
                            near.size() < names.size() ? ", …" : ""));
}

/// A time as nanoseconds: in seconds where it has no unit.
Result<std::uint64_t> timeOf(std::string_view key, const std::string &value) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
      {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", kNsPerSecond}}};
  std::string_view number = value;
  double unitNs = kNsPerSecond;
  if (const auto *const unit = std::ranges::find_if(kUnits, [&](const auto &entry) { return value.ends_with(entry.first); });
      unit != kUnits.end()) {
    number.remove_suffix(unit->first.size());
    unitNs = unit->second;
    // Whole nanoseconds are exact, beyond what a double can tell apart.
    if (const std::optional<std::uint64_t> whole = unitNs == 1 ? base::numberFrom<std::uint64_t>(number) : std::nullopt) {
      return std::min(*whole, kEndOfTimeNs);
    }
  }
  const std::optional<double> time = base::numberFrom<double>(number);
  if (!time || !std::isfinite(*time) || *time < 0) {
    return refuse(
        fmt::format("{}={}: that is not a time; give a time since the session began, such as 1.5 (seconds) or 250ms", key, value));
  }
  const double ns = std::round(*time * unitNs);
  return ns < static_cast<double>(kEndOfTimeNs) ? static_cast<std::uint64_t>(ns) : kEndOfTimeNs;
}

Result<void> add(session::SessionReader &reader, Selection &selection, std::string_view key, const std::string &value) {
  if (key == "outcome") {
    selection.outcome = event::outcomeFromName(value);
    return selection.outcome
               ? Result<void>()
               : refuse(fmt::format("outcome={}: there is no such outcome; there are hit, retrace, disk, miss, wait and bypass",
                                    value));
  }
  if (key == "from" || key == "to") {
    JITSCOPE_TRY(const std::uint64_t ns, timeOf(key, value));
    selection.range = selection.range.value_or(TimeRange{0, kEndOfTimeNs});
    (key == "from" ? selection.range->fromNs : selection.range->toNs) = ns;
    return {};
  }
  JITSCOPE_TRY(const std::uint32_t id, idOf(reader, key, value));
  if (key == "section") {
    selection.sectionId = base::SectionId(id);
  } else if (key == "function") {
    selection.functionId = base::FunctionId(id);
  } else if (key == "template") {
    selection.templateId = base::TemplateId(id);
  } else {
    selection.caseId = base::CaseId(id);
  }
  return {};
}

/// "section benchmark"; "section #7" where the session has no name for it.
Result<std::string> describeOne(session::SessionReader &reader, std::string_view kind, std::uint32_t id) {
  if (id == 0) {
    return fmt::format("outside of every {}", kind);
  }
  JITSCOPE_TRY(const std::vector<Name> names, namesOfKind(reader, kind));
  const auto name = std::ranges::find(names, id, &Name::id);
  return name == names.end() || name->label.empty() ? fmt::format("{} #{}", kind, id) : fmt::format("{} {}", kind, name->label);
}

/// Kind and id of what a selection names, in the order of its members.
std::vector<std::pair<std::string_view, std::uint32_t>> idsOf(const Selection &selection) {
  std::vector<std::pair<std::string_view, std::uint32_t>> ids;
  if (selection.sectionId) {
    ids.emplace_back("section", selection.sectionId->value);
  }
  if (selection.functionId) {
    ids.emplace_back("function", selection.functionId->value);
  }
  if (selection.templateId) {
    ids.emplace_back("template", selection.templateId->value);
  }
  if (selection.caseId) {
    ids.emplace_back("case", selection.caseId->value);
  }
  return ids;
}

} // namespace

std::span<const std::string_view> selectionKeys() { return kKeys; }

Result<Selection> readSelection(session::SessionReader &reader, std::span<const std::string> conditions) {
  Selection selection;
  std::set<std::string_view> seen;
  for (const std::string &condition : conditions) {
    const std::size_t equals = condition.find('=');
    const std::string_view key = std::string_view(condition).substr(0, equals);
    if (equals == std::string::npos || std::ranges::find(kKeys, key) == kKeys.end()) {
      return refuse(
          fmt::format("\"{}\" is not a condition; give KEY=VALUE, where KEY is one of {}", condition, fmt::join(kKeys, ", ")));
    }
    if (!seen.insert(key).second) {
      return refuse(fmt::format("\"{}\": there is already a condition on {}", condition, key));
    }
    JITSCOPE_TRY_VOID(add(reader, selection, key, condition.substr(equals + 1)));
  }
  if (selection.range && selection.range->fromNs >= selection.range->toNs) {
    return refuse("no time lies between from and to: from must be earlier than to");
  }
  return selection;
}

std::vector<std::string> conditionsOf(const Selection &selection) {
  std::vector<std::string> conditions;
  for (const auto &[kind, id] : idsOf(selection)) {
    conditions.push_back(fmt::format("{}=#{}", kind, id));
  }
  if (selection.outcome) {
    conditions.push_back(fmt::format("outcome={}", nameOf(*selection.outcome)));
  }
  if (selection.range) {
    conditions.push_back(fmt::format("from={}ns", selection.range->fromNs));
    conditions.push_back(fmt::format("to={}ns", selection.range->toNs));
  }
  return conditions;
}

Result<std::vector<std::string>> describeSelection(session::SessionReader &reader, const Selection &selection) {
  std::vector<std::string> parts;
  if (selection.range) {
    const auto seconds = [](std::uint64_t ns) { return static_cast<double>(ns) / kNsPerSecond; };
    parts.push_back(selection.range->toNs < kEndOfTimeNs
                        ? fmt::format("from {:.9g} to {:.9g} s", seconds(selection.range->fromNs), seconds(selection.range->toNs))
                        : fmt::format("from {:.9g} s", seconds(selection.range->fromNs)));
  }
  for (const auto &[kind, id] : idsOf(selection)) {
    JITSCOPE_TRY(std::string part, describeOne(reader, kind, id));
    parts.push_back(std::move(part));
  }
  if (selection.outcome) {
    parts.push_back(fmt::format("outcome {}", nameOf(*selection.outcome)));
  }
  return parts;
}

} // namespace jitscope::analysis
