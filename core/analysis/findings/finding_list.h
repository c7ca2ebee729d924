// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding.h"
#include "analysis/findings/finding_evidence.h"
#include "base/error.h"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jitscope::analysis {

/// Findings while they are collected. Each nanosecond of a compile counts towards one finding only: the kinds come from the most to
/// the least specific, and claim the time that they count. The seconds of all findings about compiles therefore add up to no more
/// than compiling took.
class FindingList {
public:
  void add(Finding finding) { m_findings.push_back(std::move(finding)); }
  [[nodiscard]] const std::vector<Finding> &findings() const { return m_findings; }
  [[nodiscard]] std::vector<Finding> take() { return std::move(m_findings); }

  /// Of `ns` of a compile's time, what no finding has claimed.
  [[nodiscard]] std::uint64_t unclaimedNs(const CompileRecord &record, std::uint64_t ns) const;
  [[nodiscard]] std::uint64_t unclaimedNs(const CompileRecord &record) const { return unclaimedNs(record, record.compile.totalNs); }
  /// Claims that much of a compile's time for the finding that is being made.
  void claim(const CompileRecord &record, std::uint64_t ns) { m_claimedNs[record.compile.id] += ns; }
  void claim(const CompileRecord &record) { claim(record, unclaimedNs(record)); }
  /// Whether a finding has claimed some of its time.
  [[nodiscard]] bool isClaimed(const CompileRecord &record) const { return m_claimedNs.contains(record.compile.id); }

private:
  std::vector<Finding> m_findings;
  std::unordered_map<base::CompileId, std::uint64_t> m_claimedNs;
};

/// What each file in `kinds/` has: adds what it finds to the list.
using FindingSearch = base::Result<void> (*)(FindingEvidence &, FindingList &);

} // namespace jitscope::analysis
