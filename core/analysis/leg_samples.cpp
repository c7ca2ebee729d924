// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/leg_samples.h"

#include "analysis/case_statistics.h"
#include "session/database.h"

#include <map>
#include <utility>

namespace jitscope::analysis {

namespace {

using session::Database;
using session::Statement;

/// Where the samples of each call context go; null for contexts of other calls. Ids of contexts count from 1 without gaps.
base::Result<std::vector<std::vector<std::uint64_t> *>> placesOf(Database &database,
                                                                 std::map<std::pair<base::CaseId, event::Leg>, LegSamples> &legs) {
  std::vector<std::vector<std::uint64_t> *> places;
  base::Result<Statement> select =
      database.prepare("SELECT id, case_id, leg, outcome FROM call_context WHERE phase = 'sample' AND case_id IS NOT NULL");
  if (!select) {
    return std::unexpected(std::move(select.error()));
  }
  for (;;) {
    const base::Result<bool> row = select->step();
    if (!row) {
      return std::unexpected(row.error());
    }
    if (!*row) {
      return places;
    }
    const base::CaseId caseId(select->number(1));
    const event::Leg leg = event::legFromName(select->text(2)).value_or(event::Leg::None);
    LegSamples &samples = legs[{caseId, leg}];
    samples.caseId = caseId;
    samples.leg = leg;
    const std::size_t id = select->number(0);
    constexpr std::size_t kMostContexts = std::size_t{1} << 24U;
    if (id >= kMostContexts) {
      return base::fail(base::ErrorCode::StorageCorrupt, "a call context has an id that no recorder gives");
    }
    if (id >= places.size()) {
      places.resize(id + 1);
    }
    const event::Outcome outcome = event::outcomeFromName(select->text(3)).value_or(event::Outcome::Hit);
    places[id] = isCompiling(outcome) ? &samples.compilingNs : &samples.settledNs;
  }
}

} // namespace

base::Result<std::vector<LegSamples>> readLegSamples(Database &database) {
  std::map<std::pair<base::CaseId, event::Leg>, LegSamples> legs;
  const base::Result<std::vector<std::vector<std::uint64_t> *>> places = placesOf(database, legs);
  if (!places) {
    return std::unexpected(places.error());
  }
  if (!legs.empty()) {
    base::Result<Statement> select = database.prepare(
        "SELECT context_id, lookup_ns + execute_ns + coalesce(wait_ns, 0) + coalesce(compile_ns, 0) FROM call_record ORDER BY id");
    if (!select) {
      return std::unexpected(std::move(select.error()));
    }
    for (;;) {
      const base::Result<bool> row = select->step();
      if (!row) {
        return std::unexpected(row.error());
      }
      if (!*row) {
        break;
      }
      const std::size_t context = select->number(0);
      if (context < places->size() && (*places)[context] != nullptr) {
        (*places)[context]->push_back(select->unsignedInteger(1));
      }
    }
  }
  std::vector<LegSamples> result;
  for (auto &[key, samples] : legs) {
    if (!samples.settledNs.empty() || !samples.compilingNs.empty()) {
      result.push_back(std::move(samples));
    }
  }
  return result;
}

} // namespace jitscope::analysis
