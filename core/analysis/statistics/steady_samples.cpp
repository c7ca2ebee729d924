// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/statistics/steady_samples.h"

#include "analysis/query/each_row.h"
#include "event/compile_cost.h"
#include "session/file/database.h"

#include <algorithm>
#include <map>
#include <utility>

namespace jitscope::analysis {

namespace {

using session::Database;
using session::Statement;

/// Where the samples of each call context go; null for contexts of other calls.
using Places = std::vector<std::vector<std::uint64_t> *>;

base::Result<Places> placesOf(Database &database, std::map<std::pair<base::CaseId, event::Leg>, SteadySamples> &legs) {
  constexpr std::uint64_t kMaxContexts = std::uint64_t{1} << 24U;
  Places places;
  bool isDamaged = false;
  const base::Result<void> read =
      eachRow(database, "SELECT id, case_id, leg, outcome FROM call_context WHERE phase = 'sample' AND case_id IS NOT NULL",
              [&](const Statement &row) {
                const base::CaseId caseId(row.number(1));
                const event::Leg leg = event::legFromName(row.text(2)).value_or(event::Leg::None);
                SteadySamples &samples = legs[{caseId, leg}];
                samples.caseId = caseId;
                samples.leg = leg;
                // Ids count from 1 without gaps.
                const std::uint64_t id = row.unsignedInteger(0);
                isDamaged = isDamaged || id >= kMaxContexts;
                if (isDamaged) {
                  return;
                }
                places.resize(std::max<std::size_t>(places.size(), id + 1));
                const event::Outcome outcome = event::outcomeFromName(row.text(3)).value_or(event::Outcome::Hit);
                places[id] = event::heldUpByCompile(outcome) ? &samples.heldUpNs : &samples.steadyNs;
              });
  if (!read) {
    return std::unexpected(read.error());
  }
  if (isDamaged) {
    return base::fail(base::ErrorCode::StorageCorrupt, "a call context has an id that no recorder gives");
  }
  return places;
}

} // namespace

base::Result<std::vector<SteadySamples>> readSteadySamples(Database &database) {
  std::map<std::pair<base::CaseId, event::Leg>, SteadySamples> legs;
  const base::Result<Places> places = placesOf(database, legs);
  if (!places) {
    return std::unexpected(places.error());
  }
  if (!legs.empty()) {
    const base::Result<void> read =
        eachRow(database, "SELECT context_id, total_ns FROM call_record ORDER BY id", [&places](const Statement &row) {
          const std::uint64_t context = row.unsignedInteger(0);
          if (context < places->size() && (*places)[context] != nullptr) {
            (*places)[context]->push_back(row.unsignedInteger(1));
          }
        });
    if (!read) {
      return std::unexpected(read.error());
    }
  }
  std::vector<SteadySamples> result;
  for (auto &[key, samples] : legs) {
    if (!samples.steadyNs.empty() || !samples.heldUpNs.empty()) {
      result.push_back(std::move(samples));
    }
  }
  return result;
}

} // namespace jitscope::analysis
