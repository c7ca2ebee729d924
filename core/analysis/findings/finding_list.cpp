// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/finding_list.h"

#include <algorithm>

namespace jitscope::analysis {

std::uint64_t FindingList::unclaimedNs(const CompileRecord &record, std::uint64_t ns) const {
  const auto claimed = m_claimedNs.find(record.compile.id);
  const std::uint64_t claimedNs = claimed == m_claimedNs.end() ? 0 : claimed->second;
  return std::min(ns, record.compile.totalNs - std::min(claimedNs, record.compile.totalNs));
}

} // namespace jitscope::analysis
