// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/call_details.h"

#include "base/try.h"
#include "session/file/database.h"
#include "session/rows/tables.h"

#include <fmt/format.h>

namespace jitscope::analysis {

namespace {

using session::Database;
using session::Statement;

/// The first row of a query; `read` is not called if there is none.
template <typename Read> base::Result<void> firstRow(Database &database, const std::string &sql, Read read) {
  JITSCOPE_TRY(Statement select, database.prepare(sql));
  JITSCOPE_TRY(const bool row, select.step());
  if (row) {
    read(select);
  }
  return {};
}

/// The row of a call's compile or retrieval, with the signature of the template that was nearest.
template <typename Event>
base::Result<void> readMiss(Database &database, CallDetails &details, std::optional<Event> &miss, const std::string &condition) {
  return firstRow(database,
                  fmt::format("SELECT n.signature, {} FROM {} m LEFT JOIN template n ON n.id = m.nearest_template_id WHERE {}",
                              session::columnNames<Event>("m."), session::tableOf<Event>().name, condition),
                  [&details, &miss](const Statement &row) {
                    details.nearestSignature = row.text(0);
                    session::readRow(row, miss.emplace(), 1);
                    // None where the details are of a compile alone.
                    miss->callId = details.call.id;
                  });
}

} // namespace

base::Result<std::optional<CallDetails>> readCallDetails(Database &database, base::CallId id) {
  JITSCOPE_TRY(const session::ReadSnapshot held, session::ReadSnapshot::begin(database));
  std::optional<CallDetails> details;
  const auto readCall = [&details](const Statement &row) {
    details.emplace();
    event::CallEvent &call = details->call;
    call.id = base::CallId(row.unsignedInteger(0));
    call.startNs = row.unsignedInteger(1);
    call.lookupNs = row.unsignedInteger(2);
    call.waitNs = row.unsignedInteger(3);
    call.compileNs = row.unsignedInteger(4);
    call.executeNs = row.unsignedInteger(5);
    call.templateId = base::TemplateId(row.number(6));
    call.sectionId = base::SectionId(row.number(7));
    call.caseId = base::CaseId(row.number(8));
    call.leg = event::legFromName(row.text(9)).value_or(event::Leg::None);
    call.phase = event::callPhaseFromName(row.text(10)).value_or(event::CallPhase::Run);
    call.thread = row.number(11);
    call.process = static_cast<std::uint16_t>(row.integer(12));
    call.outcome = event::outcomeFromName(row.text(13)).value_or(event::Outcome::Hit);
    details->functionId = base::FunctionId(row.number(14));
    details->functionName = row.text(15);
    details->functionLine = static_cast<int>(row.integer(16));
    details->eager = row.integer(17) != 0;
    details->signature = row.text(18);
    details->section = row.text(19);
    details->caseName = row.text(20);
    details->caseInput = row.text(21);
  };
  base::Result<void> read = firstRow(
      database,
      fmt::format("SELECT r.id, r.start_ns, r.lookup_ns, r.wait_ns, r.compile_ns, r.execute_ns, x.template_id, x.section_id, "
                  "x.case_id, x.leg, x.phase, x.thread, x.process, x.outcome, f.id, f.name, f.line, f.eager, t.signature, s.name, "
                  "b.name, b.input FROM call_record r JOIN call_context x ON x.id = r.context_id "
                  "LEFT JOIN template t ON t.id = x.template_id LEFT JOIN function f ON f.id = t.function_id "
                  "LEFT JOIN section s ON s.id = x.section_id LEFT JOIN bench_case b ON b.id = x.case_id WHERE r.id = {}",
                  id.value),
      readCall);
  // Neither table has an index before the session ends, and a hit has a row in neither.
  const bool wasTraced = details && details->call.outcome != event::Outcome::Hit && details->call.outcome != event::Outcome::Wait;
  if (read && wasTraced) {
    read = readMiss(database, *details, details->compile, fmt::format("m.call_id = {}", id.value));
  }
  if (read && wasTraced && !details->compile) {
    read = readMiss(database, *details, details->retrieval, fmt::format("m.call_id = {}", id.value));
  }
  if (!read) {
    return std::unexpected(std::move(read.error()));
  }
  return details;
}

base::Result<std::optional<CallDetails>> readCompileDetails(Database &database, base::CompileId id) {
  std::optional<CallDetails> details;
  base::Result<void> read = firstRow(
      database,
      fmt::format(
          "SELECT c.template_id, f.id, f.name, f.line, f.eager, t.signature, c.start_ns, s.name, c.study_id, y.section_id "
          "FROM compile c LEFT JOIN study y ON y.id = c.study_id LEFT JOIN section s ON s.id = y.section_id "
          "LEFT JOIN template t ON t.id = c.template_id LEFT JOIN function f ON f.id = coalesce(t.function_id, y.function_id) "
          "WHERE c.id = {}",
          id.value),
      [&details](const Statement &row) {
        details.emplace();
        details->call.templateId = base::TemplateId(row.number(0));
        details->functionId = base::FunctionId(row.number(1));
        details->functionName = row.text(2);
        details->functionLine = static_cast<int>(row.integer(3));
        details->eager = row.integer(4) != 0;
        details->signature = row.text(5);
        details->call.startNs = row.unsignedInteger(6);
        details->section = row.text(7);
        details->studyId = base::StudyId(row.number(8));
        details->call.sectionId = base::SectionId(row.number(9));
        details->call.outcome = event::Outcome::Miss;
      });
  if (read && details) {
    read = readMiss(database, *details, details->compile, fmt::format("m.id = {}", id.value));
  }
  if (!read) {
    return std::unexpected(std::move(read.error()));
  }
  return details;
}

base::Result<base::CallId> longestCall(Database &database, const Selection &selection, std::pair<base::CallId, base::CallId> ids) {
  JITSCOPE_TRY(const std::optional<std::int64_t> id,
               database.queryInteger(fmt::format("SELECT id FROM call_record WHERE id BETWEEN {} AND {} AND {} "
                                                 "ORDER BY total_ns DESC, id LIMIT 1",
                                                 ids.first.value, ids.second.value, callCondition(selection))));
  return base::CallId(static_cast<std::uint64_t>(id.value_or(0)));
}

} // namespace jitscope::analysis
