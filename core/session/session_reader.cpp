// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session_reader.h"

#include "base/try.h"
#include "session/file/query.h"
#include "session/rows/tables.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace jitscope::session {

namespace {

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
  return collectRows<event::FunctionEvent>(database(), "ORDER BY id");
}

base::Result<std::vector<event::TemplateEvent>> SessionReader::templates() {
  return collectRows<event::TemplateEvent>(database(), "ORDER BY id");
}

base::Result<std::vector<event::SectionEvent>> SessionReader::sections() {
  return collectRows<event::SectionEvent>(database(), "ORDER BY id");
}

base::Result<std::vector<event::BenchCaseEvent>> SessionReader::benchCases() {
  return collectRows<event::BenchCaseEvent>(database(), "ORDER BY id");
}

base::Result<std::vector<event::BenchLegEvent>> SessionReader::benchLegs() {
  return collectRows<event::BenchLegEvent>(database(), "ORDER BY case_id, position");
}

base::Result<std::vector<event::CompileEvent>> SessionReader::compiles(base::CompileId after) {
  return collectRows<event::CompileEvent>(database(), fmt::format("WHERE id > {} ORDER BY id", after.value));
}

base::Result<std::vector<event::CompileEvent>> SessionReader::compilesWithWork(base::CompileId after) {
  JITSCOPE_TRY(const ReadSnapshot held, snapshot());
  base::Result<std::vector<event::CompileEvent>> result = compiles(after);
  if (!result || result->empty()) {
    return result;
  }
  using Work = CompilePart<event::FunctionWork>;
  const base::Result<std::vector<Work>> work =
      collectParts<event::FunctionWork>(database(), fmt::format("WHERE compile_id > {} ORDER BY compile_id, rowid", after.value));
  if (!work) {
    return std::unexpected(work.error());
  }
  // Both are in the order of compiles.
  auto next = work->begin();
  for (event::CompileEvent &compile : *result) {
    for (; next != work->end() && next->compileId <= compile.id; ++next) {
      if (next->compileId == compile.id) {
        compile.work.push_back(next->part);
      }
    }
  }
  return result;
}

base::Result<std::vector<event::RetrievalEvent>> SessionReader::retrievals(std::uint64_t skipped) {
  return collectRows<event::RetrievalEvent>(database(), fmt::format("ORDER BY id LIMIT -1 OFFSET {}", skipped));
}

base::Result<std::vector<event::EvictionEvent>> SessionReader::evictions() {
  return collectRows<event::EvictionEvent>(database(), "ORDER BY at_ns, rowid");
}

base::Result<std::vector<event::MemoryEvent>> SessionReader::memory() {
  return collectRows<event::MemoryEvent>(database(), "ORDER BY at_ns, rowid");
}

base::Result<std::vector<event::ExpectationEvent>> SessionReader::expectations() {
  return collectRows<event::ExpectationEvent>(database(), "ORDER BY id");
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
  return collectRows<MergedPart>(database(), "ORDER BY first_process, rowid");
}

base::Result<std::vector<event::LogEvent>> SessionReader::logs() {
  return collectRows<event::LogEvent>(database(), "ORDER BY at_ns, rowid");
}

base::Result<void> SessionReader::eachCall(const CallFilter &filter, const Visitor<event::CallEvent> &visit) {
  JITSCOPE_TRY(const ReadSnapshot held, snapshot());
  const std::string condition = conditionFor(filter);
  JITSCOPE_TRY(const std::vector<CallContext> contexts,
               collectRows<CallContext>(database(), condition.empty() ? "" : "WHERE " + condition));
  std::unordered_map<std::uint32_t, const event::CallEvent *> byId;
  for (const CallContext &context : contexts) {
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
  JITSCOPE_TRY(Statement select, database().prepare("SELECT " + columnNames<event::CallEvent>() + " FROM call_record" +
                                                    restriction + " ORDER BY id"));
  const int contextColumn = tableOf<event::CallEvent>().indexOf("context_id");
  for (;;) {
    JITSCOPE_TRY(const bool row, select.step());
    if (!row) {
      return {};
    }
    const auto context = byId.find(select.number(contextColumn));
    if (context == byId.end()) {
      return base::fail(base::ErrorCode::StorageCorrupt, fmt::format("call {} has no context", select.integer(0)));
    }
    event::CallEvent call = *context->second;
    readRow(select, call);
    if (base::Result<void> seen = visit(call); !seen) {
      return seen;
    }
  }
}

} // namespace jitscope::session
