// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session_reader.h"

#include "base/try.h"
#include "session/file/query.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace jitscope::session {

namespace {

event::FunctionEvent readFunction(const Statement &row) {
  return {idOf<base::FunctionId>(row, 0), textOf(row, 1), static_cast<int>(row.integer(2)), row.integer(3) != 0, textOf(row, 4)};
}

event::TemplateEvent readTemplate(const Statement &row) {
  return {idOf<base::TemplateId>(row, 0), idOf<base::FunctionId>(row, 1), textOf(row, 2)};
}

event::SectionEvent readSection(const Statement &row) {
  return {idOf<base::SectionId>(row, 0), textOf(row, 1), row.unsignedInteger(2)};
}

event::BenchCaseEvent readBenchCase(const Statement &row) {
  event::BenchCaseEvent result;
  result.id = idOf<base::CaseId>(row, 0);
  result.bench = row.number(1);
  result.name = textOf(row, 2);
  result.input = textOf(row, 3);
  result.functionId = idOf<base::FunctionId>(row, 4);
  result.warmupNs = row.unsignedInteger(5);
  result.timeNs = row.unsignedInteger(6);
  result.parallel = row.number(7);
  return result;
}

event::BenchLegEvent readBenchLeg(const Statement &row) {
  event::BenchLegEvent result;
  result.caseId = idOf<base::CaseId>(row, 0);
  result.leg = valueOf(row, 1, event::legFromName, "is no leg");
  result.position = row.number(2);
  if (!row.isNull(3)) {
    result.seed = static_cast<std::uint64_t>(row.integer(3)); // 64 bits, of which SQLite takes one for a sign
  }
  result.callsPerSample = row.unsignedInteger(4);
  result.clockStepNs = row.real(5);
  result.overheadNs = row.real(6);
  result.maxSamples = row.unsignedInteger(7);
  result.isCapped = row.integer(8) != 0;
  return result;
}

event::CompileEvent readCompile(const Statement &row) {
  event::CompileEvent result;
  result.id = idOf<base::CompileId>(row, 0);
  result.callId = idOf<base::CallId>(row, 1);
  result.templateId = idOf<base::TemplateId>(row, 2);
  result.pipeline = textOf(row, 3);
  result.reason = valueOf(row, 4, event::missReasonFromName, "is no reason of a miss");
  result.nearestTemplateId = idOf<base::TemplateId>(row, 5);
  result.difference = textOf(row, 6);
  result.startNs = row.unsignedInteger(7);
  result.traceNs = row.unsignedInteger(8);
  result.lowerNs = row.unsignedInteger(9);
  result.optimizeNs = row.unsignedInteger(10);
  result.codegenNs = row.unsignedInteger(11);
  result.linkNs = row.unsignedInteger(12);
  result.totalNs = row.unsignedInteger(13);
  result.codeBytes = row.unsignedInteger(14);
  result.process = static_cast<std::uint16_t>(row.number(15));
  result.target = textOf(row, 16);
  result.studyId = idOf<base::StudyId>(row, 17);
  result.repetition = row.number(18);
  result.hasLoops = row.integer(19) != 0;
  return result;
}

event::RetrievalEvent readRetrieval(const Statement &row) {
  event::RetrievalEvent result;
  result.callId = idOf<base::CallId>(row, 0);
  result.templateId = idOf<base::TemplateId>(row, 1);
  result.outcome = valueOf(row, 2, event::outcomeFromName, "is no outcome");
  result.reason = valueOf(row, 3, event::missReasonFromName, "is no reason of a miss");
  result.nearestTemplateId = idOf<base::TemplateId>(row, 4);
  result.difference = textOf(row, 5);
  result.startNs = row.unsignedInteger(6);
  result.traceNs = row.unsignedInteger(7);
  result.loadNs = row.unsignedInteger(8);
  result.codeBytes = row.unsignedInteger(9);
  result.process = static_cast<std::uint16_t>(row.number(10));
  return result;
}

event::EvictionEvent readEviction(const Statement &row) {
  return {row.unsignedInteger(0), idOf<base::TemplateId>(row, 1),
          valueOf(row, 2, event::evictionReasonFromName, "is no reason of an eviction"), row.unsignedInteger(3)};
}

event::MemoryEvent readMemory(const Statement &row) {
  return {row.unsignedInteger(0), row.unsignedInteger(1), row.unsignedInteger(2), row.unsignedInteger(3), row.unsignedInteger(4)};
}

event::ExpectationEvent readExpectation(const Statement &row) {
  return {static_cast<int>(row.integer(0)), textOf(row, 1), row.integer(2) != 0, textOf(row, 3), textOf(row, 4)};
}

event::LogEvent readLog(const Statement &row) {
  return {row.unsignedInteger(0), valueOf(row, 1, event::logLevelFromName, "is no level"), textOf(row, 2)};
}

/// A work row and the compile it belongs to.
struct WorkRow {
  base::CompileId compileId;
  event::FunctionWork work;
};

WorkRow readWork(const Statement &row) {
  WorkRow result;
  result.compileId = idOf<base::CompileId>(row, 0);
  result.work.functionId = idOf<base::FunctionId>(row, 1);
  result.work.optimized = row.number(2);
  result.work.linked = row.number(3);
  result.work.emitted = row.number(4);
  result.work.reused = row.number(5);
  result.work.optimizeNs = row.unsignedInteger(6);
  result.work.emitNs = row.unsignedInteger(7);
  result.work.codeBytes = row.unsignedInteger(8);
  result.work.repeatOptimizeNs = row.unsignedInteger(9);
  result.work.repeatEmitNs = row.unsignedInteger(10);
  result.work.repeatCodeBytes = row.unsignedInteger(11);
  return result;
}

/// A row of call_context and the part of a call that it stands for.
struct Context {
  std::uint32_t id = 0;
  event::CallEvent call;
};

Context readContext(const Statement &row) {
  Context context;
  context.id = row.number(0);
  event::CallEvent &call = context.call;
  call.templateId = idOf<base::TemplateId>(row, 1);
  call.sectionId = idOf<base::SectionId>(row, 2);
  call.caseId = idOf<base::CaseId>(row, 3);
  call.leg = valueOf(row, 4, event::legFromName, "is no leg");
  call.phase = valueOf(row, 5, event::callPhaseFromName, "is no phase");
  call.thread = row.number(6);
  call.process = static_cast<std::uint16_t>(row.number(7));
  call.outcome = valueOf(row, 8, event::outcomeFromName, "is no outcome");
  return context;
}

/// The condition on `call_context` that a filter makes; empty for none. Names of enumerators need no quoting.
std::string conditionFor(const CallFilter &filter) {
  std::string condition;
  const auto add = [&condition](const std::string &term) { condition += (condition.empty() ? "" : " AND ") + term; };
  if (filter.caseId) {
    add(fmt::format("case_id = {}", filter.caseId->value));
  }
  if (filter.templateId) {
    add(fmt::format("template_id = {}", filter.templateId->value));
  }
  if (filter.sectionId) {
    add(fmt::format("section_id = {}", filter.sectionId->value));
  }
  if (filter.leg) {
    add(fmt::format("leg = '{}'", nameOf(*filter.leg)));
  }
  if (filter.phase) {
    add(fmt::format("phase = '{}'", nameOf(*filter.phase)));
  }
  if (filter.outcome) {
    add(fmt::format("outcome = '{}'", nameOf(*filter.outcome)));
  }
  return condition;
}

} // namespace

base::Result<std::unique_ptr<SessionReader>> SessionReader::open(const std::filesystem::path &path) {
  return open(path, Options{});
}

base::Result<std::unique_ptr<SessionReader>> SessionReader::open(const std::filesystem::path &path, const Options &options) {
  JITSCOPE_TRY(OpenedSession opened, openSession(path, options));
  return std::unique_ptr<SessionReader>(new SessionReader(path, options, std::move(opened)));
}

SessionReader::SessionReader(std::filesystem::path path, Options options, OpenedSession opened)
    : m_path(std::move(path)), m_options(options), m_opened(std::move(opened)) {}

SessionReader::~SessionReader() {
  const bool inPlace = m_opened.copy.path().empty();
  m_opened.database.close();
  if (inPlace) {
    tidySession(m_path);
  }
}

base::Result<void> SessionReader::refresh() {
  JITSCOPE_TRY(SessionRow row, readSessionRow(m_opened.database));
  const bool ended = m_opened.row.status == record::SessionStatus::Running && row.status != record::SessionStatus::Running;
  m_opened.row = std::move(row);
  if (!ended) {
    return {};
  }
  base::Result<OpenedSession> reopened = [this] {
    m_opened.database.close();
    return openSession(m_path, m_options);
  }();
  if (!reopened) {
    return std::unexpected(std::move(reopened.error()));
  }
  m_opened = *std::move(reopened);
  return {};
}

base::Result<ReadSnapshot> SessionReader::snapshot() { return ReadSnapshot::begin(m_opened.database); }

base::Result<std::vector<event::FunctionEvent>> SessionReader::functions() {
  return collect(database(), "SELECT id, name, line, eager, symbol FROM function ORDER BY id", readFunction);
}

base::Result<std::vector<event::TemplateEvent>> SessionReader::templates() {
  return collect(database(), "SELECT id, function_id, signature FROM template ORDER BY id", readTemplate);
}

base::Result<std::vector<event::SectionEvent>> SessionReader::sections() {
  return collect(database(), "SELECT id, name, start_ns FROM section ORDER BY id", readSection);
}

base::Result<std::vector<event::BenchCaseEvent>> SessionReader::benchCases() {
  return collect(database(), "SELECT id, bench, name, input, function_id, warmup_ns, time_ns, parallel FROM bench_case ORDER BY id",
                 readBenchCase);
}

base::Result<std::vector<event::BenchLegEvent>> SessionReader::benchLegs() {
  return collect(database(),
                 "SELECT case_id, leg, position, seed, calls_per_sample, clock_step_ns, overhead_ns, max_samples, is_capped "
                 "FROM bench_leg ORDER BY case_id, position",
                 readBenchLeg);
}

base::Result<std::vector<event::CompileEvent>> SessionReader::compiles(base::CompileId after) {
  return collect(
      database(),
      fmt::format(
          "SELECT id, call_id, template_id, pipeline, reason, nearest_template_id, difference, start_ns, trace_ns, lower_ns, "
          "optimize_ns, codegen_ns, link_ns, total_ns, code_bytes, process, target, study_id, repetition, has_loops FROM compile "
          "WHERE id > {} ORDER BY id",
          after.value),
      readCompile);
}

base::Result<std::vector<event::CompileEvent>> SessionReader::compilesWithWork(base::CompileId after) {
  JITSCOPE_TRY(const ReadSnapshot held, snapshot());
  base::Result<std::vector<event::CompileEvent>> result = compiles(after);
  if (!result || result->empty()) {
    return result;
  }
  const base::Result<std::vector<WorkRow>> work =
      collect(database(),
              fmt::format("SELECT compile_id, function_id, optimized, linked, emitted, reused, optimize_ns, emit_ns, code_bytes, "
                          "repeat_optimize_ns, repeat_emit_ns, repeat_code_bytes FROM function_work WHERE compile_id > {} "
                          "ORDER BY compile_id, rowid",
                          after.value),
              readWork);
  if (!work) {
    return std::unexpected(work.error());
  }
  // Both are in the order of compiles.
  auto next = work->begin();
  for (event::CompileEvent &compile : *result) {
    for (; next != work->end() && next->compileId <= compile.id; ++next) {
      if (next->compileId == compile.id) {
        compile.work.push_back(next->work);
      }
    }
  }
  return result;
}

base::Result<std::vector<event::RetrievalEvent>> SessionReader::retrievals(std::uint64_t skipped) {
  return collect(database(),
                 fmt::format("SELECT call_id, template_id, outcome, reason, nearest_template_id, difference, start_ns, trace_ns, "
                             "load_ns, code_bytes, process FROM retrieval ORDER BY id LIMIT -1 OFFSET {}",
                             skipped),
                 readRetrieval);
}

base::Result<std::vector<event::EvictionEvent>> SessionReader::evictions() {
  return collect(database(), "SELECT at_ns, template_id, reason, code_bytes FROM eviction ORDER BY at_ns, rowid", readEviction);
}

base::Result<std::vector<event::MemoryEvent>> SessionReader::memory() {
  return collect(database(),
                 "SELECT at_ns, tensor_live_bytes, tensor_peak_bytes, cache_entries, cache_code_bytes FROM memory "
                 "ORDER BY at_ns, rowid",
                 readMemory);
}

base::Result<std::vector<event::ExpectationEvent>> SessionReader::expectations() {
  return collect(database(), "SELECT line, name, passed, expected, actual FROM expectation ORDER BY id", readExpectation);
}

base::Result<std::vector<MergedPart>> SessionReader::mergedParts() {
  const base::Result<std::optional<std::int64_t>> isMerged =
      database().queryInteger("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'merged_session'");
  if (!isMerged) {
    return std::unexpected(isMerged.error());
  }
  if (!*isMerged) {
    return std::vector<MergedPart>();
  }
  return collect<MergedPart>(
      database(),
      "SELECT uuid, script_path, first_function_id, last_function_id, first_bench, last_bench, first_expectation_id, "
      "last_expectation_id, first_process, last_process FROM merged_session "
      "ORDER BY first_process, rowid",
      [](const Statement &row) {
        return MergedPart{textOf(row, 0),
                          textOf(row, 1),
                          idOf<base::FunctionId>(row, 2),
                          idOf<base::FunctionId>(row, 3),
                          static_cast<std::uint16_t>(row.number(8)),
                          static_cast<std::uint16_t>(row.number(9)),
                          row.number(4),
                          row.number(5),
                          row.unsignedInteger(6),
                          row.unsignedInteger(7)};
      });
}

base::Result<std::vector<event::LogEvent>> SessionReader::logs() {
  return collect(database(), "SELECT at_ns, level, message FROM log ORDER BY at_ns, rowid", readLog);
}

base::Result<void> SessionReader::eachCall(const CallFilter &filter, const Visitor<event::CallEvent> &visit) {
  JITSCOPE_TRY(const ReadSnapshot held, snapshot());
  const std::string condition = conditionFor(filter);
  const std::string where = condition.empty() ? "" : " WHERE " + condition;
  JITSCOPE_TRY(
      const std::vector<Context> contexts,
      collect(database(),
              "SELECT id, template_id, section_id, case_id, leg, phase, thread, process, outcome FROM call_context" + where,
              readContext));
  std::unordered_map<std::uint32_t, const event::CallEvent *> byId;
  for (const Context &context : contexts) {
    byId.emplace(context.id, &context.call);
  }
  std::string restriction = condition.empty() ? "" : " WHERE context_id IN (SELECT id FROM call_context WHERE " + condition + ")";
  if (filter.after.isValid()) {
    std::string ids;
    for (const base::CallId id : filter.alsoThese) {
      ids += fmt::format("{}{}", ids.empty() ? "" : ", ", id.value);
    }
    restriction += fmt::format("{}(id > {}{})", restriction.empty() ? " WHERE " : " AND ", filter.after.value,
                               ids.empty() ? "" : " OR id IN (" + ids + ")");
  }
  base::Result<Statement> select =
      database().prepare("SELECT id, context_id, start_ns, lookup_ns, wait_ns, compile_ns, execute_ns FROM call_record" +
                         restriction + " ORDER BY id");
  if (!select) {
    return std::unexpected(std::move(select.error()));
  }
  for (;;) {
    JITSCOPE_TRY(const bool row, select->step());
    if (!row) {
      return {};
    }
    const auto context = byId.find(select->number(1));
    if (context == byId.end()) {
      return base::fail(base::ErrorCode::StorageCorrupt, fmt::format("call {} has no context", select->integer(0)));
    }
    event::CallEvent call = *context->second;
    call.id = idOf<base::CallId>(*select, 0);
    call.startNs = select->unsignedInteger(2);
    call.lookupNs = select->unsignedInteger(3);
    call.waitNs = select->unsignedInteger(4);
    call.compileNs = select->unsignedInteger(5);
    call.executeNs = select->unsignedInteger(6);
    if (base::Result<void> seen = visit(call); !seen) {
      return seen;
    }
  }
}

} // namespace jitscope::session
