// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/call_groups.h"

#include "analysis/query/selection.h"
#include "base/try.h"
#include "session/file/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace jitscope::analysis {

namespace {

using session::Database;
using session::Statement;

/// The groups, still empty, and where each context's group stands.
struct Contexts {
  std::vector<CallGroup> groups;
  std::unordered_map<std::int64_t, std::size_t> indexOf;
  std::vector<std::size_t> legOf;          ///< for each group, which of the counters below is its leg's
  std::vector<std::uint64_t> samplesOfLeg; ///< seen so far; the first is for what is no sample
};

/// One counter for each case and leg that has samples.
void addLegs(Contexts &contexts) {
  std::map<std::pair<base::CaseId, event::Leg>, std::size_t> legs;
  for (const CallGroup &group : contexts.groups) {
    const bool isSample = group.caseId.isValid() && group.phase == event::CallPhase::Sample;
    contexts.legOf.push_back(isSample ? legs.try_emplace({group.caseId, group.leg}, legs.size() + 1).first->second : 0);
  }
  contexts.samplesOfLeg.resize(legs.size() + 1);
}

base::Result<Contexts> readContexts(Database &database) {
  base::Result<Statement> select =
      database.prepare("SELECT id, template_id, section_id, case_id, leg, phase, outcome, process FROM call_context ORDER BY id");
  if (!select) {
    return std::unexpected(std::move(select.error()));
  }
  Contexts contexts;
  for (;;) {
    JITSCOPE_TRY(const bool row, select->step());
    if (!row) {
      addLegs(contexts);
      return contexts;
    }
    contexts.indexOf.emplace(select->integer(0), contexts.groups.size());
    CallGroup &group = contexts.groups.emplace_back();
    group.templateId = base::TemplateId(select->number(1));
    group.sectionId = base::SectionId(select->number(2));
    group.caseId = base::CaseId(select->number(3));
    group.leg = event::legFromName(select->text(4)).value_or(event::Leg::None);
    group.phase = event::callPhaseFromName(select->text(5)).value_or(event::CallPhase::Run);
    group.outcome = event::outcomeFromName(select->text(6)).value_or(event::Outcome::Hit);
    group.process = static_cast<std::uint16_t>(select->number(7));
  }
}

void addCall(CallGroup &group, const CallMark &call) {
  if (group.totalsNs.empty() || call.startNs < group.first.startNs) {
    group.first = call;
  }
  if (group.totalsNs.empty() || call.totalNs > group.longest.totalNs) {
    group.longest = call;
  }
  group.endNs = std::max(group.endNs, call.startNs + call.totalNs);
  group.totalsNs.push_back(call.totalNs);
  group.sumNs += call.totalNs;
}

} // namespace

base::Result<std::vector<CallGroup>> readCallGroups(Database &database) { return readCallGroups(database, Selection{}); }

base::Result<std::vector<CallGroup>> readCallGroups(Database &database, const Selection &selection) {
  JITSCOPE_TRY(Contexts contexts, readContexts(database));
  std::vector<CallGroup> &groups = contexts.groups;
  const std::string condition = callCondition(selection);
  // Those that are not selected are counted: a sample's number is that within its leg.
  const std::string alsoSamples =
      selection.isEmpty() ? std::string()
                          : " OR context_id IN (SELECT id FROM call_context WHERE phase = 'sample' AND case_id IS NOT NULL)";
  JITSCOPE_TRY(Statement select, database.prepare("SELECT id, context_id, start_ns, total_ns, " + condition +
                                                  " FROM call_record WHERE (" + condition + ")" + alsoSamples + " ORDER BY id"));
  for (;;) {
    JITSCOPE_TRY(const bool row, select.step());
    if (!row) {
      break;
    }
    const auto context = contexts.indexOf.find(select.integer(1));
    if (context == contexts.indexOf.end()) {
      return base::fail(base::ErrorCode::StorageCorrupt, fmt::format("call {} has no context", select.integer(0)));
    }
    const std::size_t leg = contexts.legOf[context->second];
    const std::uint64_t number = leg == 0 ? 0 : ++contexts.samplesOfLeg[leg];
    if (select.integer(4) == 0) {
      continue;
    }
    addCall(groups[context->second],
            {base::CallId(select.unsignedInteger(0)), select.unsignedInteger(2), select.unsignedInteger(3), number});
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].samplesOfLeg = contexts.legOf[i] == 0 ? 0 : contexts.samplesOfLeg[contexts.legOf[i]];
  }
  std::erase_if(groups, [](const CallGroup &group) { return group.totalsNs.empty(); });
  return std::move(groups);
}

} // namespace jitscope::analysis
