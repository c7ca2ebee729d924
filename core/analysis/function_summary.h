// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/statistics/case_statistics.h"
#include "base/error.h"
#include "event/event.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jitscope::session {
class Database;
class SessionReader;
} // namespace jitscope::session

namespace jitscope::analysis {

struct Selection;

struct TemplateSummary {
  base::TemplateId id;
  std::string signature;
  std::uint64_t calls = 0;
  OutcomeCounts outcomes;
  std::uint64_t callNs = 0;
  std::uint64_t compiles = 0;
  std::uint64_t compileNs = 0;
  std::uint64_t codeBytes = 0; ///< of its latest compile
  std::uint64_t aheadNs = 0;   ///< part of `compileNs` that no call paid for: compiles ahead of time

  /// Hits per call; 0 without calls.
  [[nodiscard]] double hitRate() const {
    return calls == 0 ? 0 : static_cast<double>(outcomes[event::Outcome::Hit]) / static_cast<double>(calls);
  }
};

struct FunctionSummary {
  base::FunctionId id;
  std::string name;
  int line = 0;
  bool eager = false;
  std::vector<TemplateSummary> templates; ///< in the order in which they were met
};

/// Calls of one template with one outcome.
struct TemplateCalls {
  base::TemplateId templateId;
  event::Outcome outcome = event::Outcome::Hit;
  std::uint64_t calls = 0;
  std::uint64_t totalNs = 0; ///< of all together
};

/// How many calls the templates had, and how long they took: the one count of calls by template and outcome. Without a range it
/// reads no call, so that ten million cost nothing. A template and an outcome may have more than one entry.
[[nodiscard]] base::Result<std::vector<TemplateCalls>> readTemplateCalls(session::Database &database, const Selection &selection);

/// Functions and their templates with the selected compiles and with `calls`, which must be of the same selection. What has
/// neither is left out, unless everything is selected.
[[nodiscard]] base::Result<std::vector<FunctionSummary>>
summarizeFunctions(session::SessionReader &reader, const Selection &selection, std::span<const TemplateCalls> calls);

} // namespace jitscope::analysis
