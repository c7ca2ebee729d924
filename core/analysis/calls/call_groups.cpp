// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/call_groups.h"

#include "analysis/query/each_row.h"
#include "base/try.h"
#include "session/file/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace jitscope::analysis {

namespace {

using session::Database;
using session::Statement;

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

base::Result<void> CallGroups::readContexts(Database &database) {
  return eachRow(
      database,
      fmt::format("SELECT id, template_id, section_id, case_id, leg, phase, outcome, process FROM call_context WHERE id > "
                  "{} ORDER BY id",
                  m_lastContext),
      [this](const Statement &row) {
        m_lastContext = row.integer(0);
        m_indexOf.emplace(m_lastContext, m_groups.size());
        CallGroup &group = m_groups.emplace_back();
        group.templateId = base::TemplateId(row.number(1));
        group.sectionId = base::SectionId(row.number(2));
        group.caseId = base::CaseId(row.number(3));
        group.leg = event::legFromName(row.text(4)).value_or(event::Leg::None);
        group.phase = event::callPhaseFromName(row.text(5)).value_or(event::CallPhase::Run);
        group.outcome = event::outcomeFromName(row.text(6)).value_or(event::Outcome::Hit);
        group.process = static_cast<std::uint16_t>(row.number(7));
        const bool isSample = group.caseId.isValid() && group.phase == event::CallPhase::Sample;
        m_legOf.push_back(isSample ? m_legs.try_emplace({group.caseId, group.leg}, m_legs.size() + 1).first->second : 0);
        m_samplesOfLeg.resize(m_legs.size() + 1);
      });
}

base::Result<void> CallGroups::update(Database &database) {
  JITSCOPE_TRY(const session::ReadSnapshot held, session::ReadSnapshot::begin(database));
  JITSCOPE_TRY(const bool isAppended, m_seen.advance(database));
  if (!isAppended) {
    CallGroups anew(m_selection, m_which);
    anew.m_seen = m_seen;
    *this = std::move(anew);
  }
  JITSCOPE_TRY_VOID(readContexts(database));
  const std::string condition = callCondition(m_selection);
  const std::string isSample = "context_id IN (SELECT id FROM call_context WHERE phase = 'sample' AND case_id IS NOT NULL)";
  // Samples that are not selected are counted: a sample's number is that within its leg.
  const std::string isRead = m_which == Of::Samples  ? isSample
                             : m_selection.isEmpty() ? condition
                                                     : fmt::format("({}) OR {}", condition, isSample);
  JITSCOPE_TRY(Statement select,
               database.prepare(fmt::format(
                   "SELECT id, context_id, start_ns, total_ns, {0} FROM call_record WHERE id > {1} AND ({2}) ORDER BY id",
                   condition, m_lastCall, isRead)));
  for (;;) {
    JITSCOPE_TRY(const bool row, select.step());
    if (!row) {
      break;
    }
    const auto context = m_indexOf.find(select.integer(1));
    if (context == m_indexOf.end()) {
      return base::fail(base::ErrorCode::StorageCorrupt, fmt::format("call {} has no context", select.integer(0)));
    }
    m_lastCall = select.integer(0);
    const std::size_t leg = m_legOf[context->second];
    const std::uint64_t number = leg == 0 ? 0 : ++m_samplesOfLeg[leg];
    if (select.integer(4) != 0) {
      addCall(m_groups[context->second],
              {base::CallId(select.unsignedInteger(0)), select.unsignedInteger(2), select.unsignedInteger(3), number});
    }
  }
  for (std::size_t i = 0; i < m_groups.size(); ++i) {
    m_groups[i].samplesOfLeg = m_legOf[i] == 0 ? 0 : m_samplesOfLeg[m_legOf[i]];
  }
  return {};
}

base::Result<std::vector<CallGroup>> readCallGroups(Database &database, const Selection &selection) {
  CallGroups groups(selection);
  JITSCOPE_TRY_VOID(groups.update(database));
  std::vector<CallGroup> result = groups.take();
  std::erase_if(result, [](const CallGroup &group) { return group.totalsNs.empty(); });
  return result;
}

} // namespace jitscope::analysis
