// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/findings/finding.h"
#include "analysis/findings/finding_evidence.h"
#include "base/error.h"

#include <unordered_set>
#include <utility>
#include <vector>

namespace jitscope::analysis {

/// Findings while they are collected. Each compile counts towards one finding only: the kinds come from the most to the least
/// specific, and claim what they explain.
class FindingList {
public:
  void add(Finding finding) { m_findings.push_back(std::move(finding)); }
  void claim(base::CompileId compile) { m_claimed.insert(compile); }
  [[nodiscard]] bool isClaimed(base::CompileId compile) const { return m_claimed.contains(compile); }
  [[nodiscard]] const std::vector<Finding> &findings() const { return m_findings; }
  [[nodiscard]] std::vector<Finding> take() { return std::move(m_findings); }

private:
  std::vector<Finding> m_findings;
  std::unordered_set<base::CompileId> m_claimed;
};

/// One function for each kind, in a file of its own. Each adds what it finds.
using FindingSearch = base::Result<void> (*)(FindingEvidence &, FindingList &);

base::Result<void> findStaleCaptures(FindingEvidence &evidence, FindingList &list);
base::Result<void> findSmallCache(FindingEvidence &evidence, FindingList &list);
base::Result<void> findDiskCacheProblems(FindingEvidence &evidence, FindingList &list);
base::Result<void> findFunctionsMadeAnew(FindingEvidence &evidence, FindingList &list);
base::Result<void> findRecompileStorms(FindingEvidence &evidence, FindingList &list);
base::Result<void> findFlipFlops(FindingEvidence &evidence, FindingList &list);
base::Result<void> findWaiting(FindingEvidence &evidence, FindingList &list);
base::Result<void> findSlowPhases(FindingEvidence &evidence, FindingList &list);
base::Result<void> findNeverPaidBack(FindingEvidence &evidence, FindingList &list);
base::Result<void> findScalarLoops(FindingEvidence &evidence, FindingList &list);
base::Result<void> findRedundantWork(FindingEvidence &evidence, FindingList &list);
base::Result<void> findColdStart(FindingEvidence &evidence, FindingList &list);
base::Result<void> findMeasurementProblems(FindingEvidence &evidence, FindingList &list);

} // namespace jitscope::analysis
