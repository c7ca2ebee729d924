// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/findings.h"

#include "analysis/findings/finding_list.h"
#include "analysis/findings/kinds/cold_start.h"
#include "analysis/findings/kinds/disk_cache.h"
#include "analysis/findings/kinds/flip_flop.h"
#include "analysis/findings/kinds/made_anew.h"
#include "analysis/findings/kinds/measurement.h"
#include "analysis/findings/kinds/never_paid_back.h"
#include "analysis/findings/kinds/redundant_work.h"
#include "analysis/findings/kinds/scalar_loop.h"
#include "analysis/findings/kinds/slow_phase.h"
#include "analysis/findings/kinds/small_cache.h"
#include "analysis/findings/kinds/stale_capture.h"
#include "analysis/findings/kinds/storm.h"
#include "analysis/findings/kinds/waiting.h"
#include "base/try.h"
#include "session/session_reader.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace jitscope::analysis {

namespace {

/// From the most to the least specific, since each compile counts once.
constexpr auto kSearches = std::to_array<FindingSearch>(
    {findStaleCaptures, findSmallCache, findDiskCacheProblems, findFunctionsMadeAnew, findRecompileStorms, findFlipFlops,
     findWaiting, findSlowPhases, findNeverPaidBack, findScalarLoops, findRedundantWork, findColdStart, findMeasurementProblems});

} // namespace

base::Result<std::vector<Finding>> readFindings(session::SessionReader &reader) {
  JITSCOPE_TRY(const auto snapshot, reader.snapshot());
  CallGroups samples(Selection{}, CallGroups::Of::Samples);
  JITSCOPE_TRY_VOID(samples.update(reader.database()));
  JITSCOPE_TRY(const std::vector<LegStatistics> legs, legStatistics(reader, samples.all()));
  return readFindings(reader, samples.all(), legs);
}

base::Result<std::vector<Finding>> readFindings(session::SessionReader &reader, std::span<const CallGroup> groups,
                                                std::span<const LegStatistics> legs) {
  JITSCOPE_TRY(const auto snapshot, reader.snapshot());
  JITSCOPE_TRY(FindingEvidence evidence, FindingEvidence::read(reader, groups, legs));
  FindingList list;
  for (const FindingSearch search : kSearches) {
    JITSCOPE_TRY_VOID(search(evidence, list));
  }
  std::vector<Finding> findings = list.take();
  for (Finding &finding : findings) {
    evidence.complete(finding);
  }
  std::ranges::stable_sort(findings, [](const Finding &one, const Finding &other) {
    return std::tuple(!isAboutCorrectness(one.kind), other.costNs) < std::tuple(!isAboutCorrectness(other.kind), one.costNs);
  });
  return findings;
}

} // namespace jitscope::analysis
