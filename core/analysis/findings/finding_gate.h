// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding.h"
#include "base/error.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analysis {

/// Findings that must not be there, e.g. for CI.
struct FindingGate {
  std::vector<FindingKind> kinds; ///< each once, in the order of `FindingKind`
  std::uint64_t aboveNs = 0;      ///< findings that cost no more are allowed; those that cost no time at all never are

  [[nodiscard]] bool forbids(const Finding &finding) const;
};

/// A gate for kinds by their names; every kind if there are none. RuntimeOption for an unknown name: the message lists the kinds.
[[nodiscard]] base::Result<FindingGate> findingGateFor(std::span<const std::string> kinds, std::uint64_t aboveNs);
/// Reads "storm,made-anew:0.5": kinds, and the seconds that each finding may cost. RuntimeOption says what is wrong with a text.
[[nodiscard]] base::Result<FindingGate> findingGateFrom(std::string_view text);

/// Whether one of the gates forbids a finding.
[[nodiscard]] bool isForbidden(const Finding &finding, std::span<const FindingGate> gates);
/// The kinds that some gate names, each once.
[[nodiscard]] std::vector<FindingKind> kindsOf(std::span<const FindingGate> gates);

} // namespace jitscope::analysis
