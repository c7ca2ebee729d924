// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session_writer.h"

#include "base/hash.h"
#include "base/try.h"
#include "session/file/database.h"
#include "session/file/schema.h"
#include "session/file/session_file.h"
#include "session/rows/call_batch_table.h"
#include "session/rows/call_spans.h"
#include "session/rows/event_rows.h"
#include "session/rows/tables.h"

#include <fmt/format.h>

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jitscope::session {

namespace {

/// What repeats from call to call: a row of `call_context`, except for its sums.
struct ContextKey {
  std::uint64_t templateAndSection = 0;
  std::uint64_t caseAndThread = 0;
  std::uint64_t processAndKinds = 0;

  explicit ContextKey(const event::CallEvent &call)
      : templateAndSection(join(call.templateId.value, call.sectionId.value)), caseAndThread(join(call.caseId.value, call.thread)),
        processAndKinds(std::uint64_t{call.process} << 24U | std::uint64_t{static_cast<std::uint8_t>(call.outcome)} << 16U |
                        std::uint64_t{static_cast<std::uint8_t>(call.leg)} << 8U |
                        std::uint64_t{static_cast<std::uint8_t>(call.phase)}) {}
  friend bool operator==(const ContextKey &, const ContextKey &) = default;

private:
  static std::uint64_t join(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32U | low; }
};

struct ContextKeyHash {
  std::size_t operator()(const ContextKey &key) const noexcept {
    const std::array<std::uint64_t, 3> words{key.templateAndSection, key.caseAndThread, key.processAndKinds};
    return base::hashWords(words).low;
  }
};

/// What the calls of a context add up to, in all batches so far.
struct ContextSums {
  std::uint64_t calls = 0;
  std::uint64_t totalNs = 0;
  std::uint64_t batch = 0; ///< the last one that had calls of it, counted from 1
};

// OFF: what is written is with the kernel and outlives this process, whatever kills it; a sync would protect against the loss of
// power alone, and would disturb what is being measured. `finish` syncs.
// A checkpoint each 4 MB keeps it to a few milliseconds and the log in the page cache.
constexpr const char *kRecordingPragmas = "PRAGMA synchronous=OFF; PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=1000; "
                                          "PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY; PRAGMA foreign_keys=OFF;";

constexpr int kWriterBusyMs = 5000;

} // namespace

struct SessionWriter::State {
  std::filesystem::path path;
  Options options;
  CallBatch batch;
  Database database;
  std::unique_ptr<EventRows> rows;
  Statement begin;
  Statement commit;
  Statement storeContext;
  Statement insertCalls;
  Statement insertSpan;
  CallSpanBuilder spans;
  std::unordered_map<ContextKey, std::uint32_t, ContextKeyHash> contexts;
  std::vector<ContextSums> sums; ///< by id - 1
  std::uint64_t batches = 0;     ///< with calls
  std::vector<std::uint32_t> contextIds;
  /// Of the contexts that the batch has calls of: one of these calls each, by its index.
  std::vector<std::size_t> touched;
  std::optional<base::Error> failure;
  bool finished = false;

  base::Result<void> open();
  base::Result<void> prepare();
  std::uint32_t contextOf(const ContextKey &key);
  void addUp(std::span<const event::CallEvent> calls);
  base::Result<void> storeContexts(std::span<const event::CallEvent> calls);
  base::Result<void> insert(const record::Batch &group);
  base::Result<void> insertSpans(const record::Batch &group);
  base::Result<void> transact(const record::Batch &group);
  base::Result<void> end(const record::SessionEnd &end);
  base::Result<void> checkPlace() const;
  base::Error located(base::Error error) const {
    error.message = fmt::format("cannot write the session \"{}\": {}", path.string(), error.message);
    return error;
  }
};

base::Result<void> SessionWriter::State::open() {
  JITSCOPE_TRY(Database opened, Database::open(path, Database::Access::ReadWrite));
  database = std::move(opened);
  database.setBusyTimeout(kWriterBusyMs);
  // Where a file system cannot do WAL (it needs shared memory), SQLite stays in its other mode: slower, and as safe.
  if (base::Result<void> set = database.execute(kRecordingPragmas); !set) {
    return set;
  }
  if (base::Result<void> registered = registerCallBatchTable(database.handle(), &batch); !registered) {
    return registered;
  }
  return prepare();
}

base::Result<void> SessionWriter::State::prepare() {
  JITSCOPE_TRY(EventRows prepared, EventRows::prepare(database));
  rows = std::make_unique<EventRows>(std::move(prepared));
  const std::array<std::pair<Statement *, std::string>, 5> statements{{
      {&begin, "BEGIN"},
      {&commit, "COMMIT"},
      {&storeContext,
       insertSql<CallContext>() + " ON CONFLICT(id) DO UPDATE SET calls = excluded.calls, total_ns = excluded.total_ns"},
      {&insertCalls, insertCallsSql()},
      {&insertSpan, insertSql<CallSpan>()},
  }};
  for (const auto &[target, sql] : statements) {
    JITSCOPE_TRY(Statement statement, database.prepare(sql));
    *target = std::move(statement);
  }
  return {};
}

std::uint32_t SessionWriter::State::contextOf(const ContextKey &key) {
  const auto [entry, isNew] = contexts.try_emplace(key, static_cast<std::uint32_t>(contexts.size() + 1));
  if (isNew) {
    sums.emplace_back();
  }
  return entry->second;
}

/// Finds the context of each call and adds the calls to its sums.
void SessionWriter::State::addUp(std::span<const event::CallEvent> calls) {
  contextIds.clear();
  touched.clear();
  ++batches;
  std::optional<ContextKey> lastKey;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const ContextKey key(calls[i]);
    contextIds.push_back(lastKey == key ? contextIds.back() : contextOf(key));
    lastKey = key;
    ContextSums &sum = sums[contextIds.back() - 1];
    ++sum.calls;
    sum.totalNs += calls[i].totalNs();
    if (sum.batch != batches) {
      sum.batch = batches;
      touched.push_back(i);
    }
  }
}

base::Result<void> SessionWriter::State::storeContexts(std::span<const event::CallEvent> calls) {
  for (const std::size_t index : touched) {
    const event::CallEvent &call = calls[index];
    const ContextSums &sum = sums[contextIds[index] - 1];
    bindRow(storeContext, CallContext{contextIds[index], call, sum.calls, sum.totalNs});
    JITSCOPE_TRY_VOID(storeContext.run());
  }
  return {};
}

base::Result<void> SessionWriter::State::insert(const record::Batch &group) {
  for (const event::Event &event : group.events) {
    JITSCOPE_TRY_VOID(rows->insert(event));
  }
  if (group.calls.empty()) {
    return {};
  }
  addUp(group.calls);
  JITSCOPE_TRY_VOID(storeContexts(group.calls));
  batch.calls = group.calls;
  batch.contextIds = contextIds;
  base::Result<void> inserted = insertCalls.run();
  batch = {};
  if (inserted) {
    inserted = insertSpans(group);
  }
  return inserted;
}

base::Result<void> SessionWriter::State::insertSpans(const record::Batch &group) {
  for (const CallSpan &span : spans.condense(group.calls, contextIds)) {
    bindRow(insertSpan, span);
    if (base::Result<void> added = insertSpan.run(); !added) {
      return added;
    }
  }
  return {};
}

base::Result<void> SessionWriter::State::transact(const record::Batch &group) {
  if (base::Result<void> begun = begin.run(); !begun) {
    return begun;
  }
  base::Result<void> done = insert(group);
  if (done) {
    done = commit.run();
  }
  if (!done) {
    // SQLite may have rolled back by itself; then there is nothing left to do and this fails.
    std::ignore = database.execute("ROLLBACK");
  }
  return done;
}

base::Result<void> SessionWriter::State::checkPlace() const {
  // The kernel lets a deleted file grow unseen, and all of it would be lost in the end.
  if (database.hasMoved()) {
    return base::fail(base::ErrorCode::StorageWrite, "it was deleted, moved or replaced while it was recorded");
  }
  return {};
}

base::Result<void> SessionWriter::State::end(const record::SessionEnd &end) {
  if (base::Result<void> there = checkPlace(); !there) {
    return there;
  }
  base::Result<void> derived;
  if (options.beforeEnd && !failure) {
    derived = options.beforeEnd(database);
  }
  base::Result<void> indexed;
  if (options.indexes) {
    database.setCancelFlag(options.hurry);
    // The limit bounds ANALYZE by rows looked at, so its time does not grow with the session.
    indexed = database.execute(fmt::format("BEGIN; {} COMMIT; PRAGMA analysis_limit=400; ANALYZE;", indexSql()));
    database.setCancelFlag(nullptr);
    if (!indexed) {
      std::ignore = database.execute("ROLLBACK");
    }
    if (!indexed && indexed.error().code == base::ErrorCode::StorageCancelled) {
      indexed = {}; // readers do without
    }
  }
  record::SessionEnd last = end;
  if (options.lastWord) {
    options.lastWord(last);
  }
  // The status by itself: should the rest have found no room, the session is still complete.
  JITSCOPE_TRY(Statement update, database.prepare("UPDATE session SET status = ?1, error = ?2, ended_ns = nullif(?3, 0)"));
  update.bind(1, nameOf(last.status));
  update.bind(2, last.error);
  update.bind(3, last.endNs);
  JITSCOPE_TRY_VOID(update.run());
  JITSCOPE_TRY_VOID(std::move(indexed));
  update = Statement();
  const bool isHurried = options.hurry != nullptr && options.hurry->load(std::memory_order_relaxed);
  // One that nobody but this run reads need not wait for whoever reads it.
  JITSCOPE_TRY_VOID(makePlainFile(database, false, options.durable && !isHurried ? 5 : 1));
  // Once, and not between the steps: a power failure before this point finds a file that was being recorded.
  if (options.durable && !isHurried) {
    JITSCOPE_TRY_VOID(syncToDisk(database, path));
  }
  return derived;
}

base::Result<std::unique_ptr<SessionWriter>> SessionWriter::create(const std::filesystem::path &path, const SessionInfo &info) {
  return create(path, info, Options{});
}

base::Result<std::unique_ptr<SessionWriter>> SessionWriter::create(const std::filesystem::path &path, const SessionInfo &info,
                                                                   Options options) {
  JITSCOPE_TRY_VOID(createSessionFile(path, info, options.overwrite));
  auto state = std::make_unique<State>();
  state->path = path;
  state->options = options;
  if (base::Result<void> opened = state->open(); !opened) {
    base::Error error = state->located(std::move(opened.error()));
    state.reset();
    std::error_code ignored;
    for (const char *suffix : {"", "-wal", "-shm", "-journal"}) {
      std::filesystem::remove(sideFile(path, suffix), ignored);
    }
    return std::unexpected(std::move(error));
  }
  return std::unique_ptr<SessionWriter>(new SessionWriter(std::move(state)));
}

SessionWriter::SessionWriter(std::unique_ptr<State> state) : m_state(std::move(state)) {}

SessionWriter::~SessionWriter() {
  if (!m_state->finished) {
    // Nobody is left to hear of a failure.
    std::ignore = finish({record::SessionStatus::Failed, "the session was not finished", 0});
  }
}

base::Result<void> SessionWriter::write(const record::Batch &batch) {
  State &state = *m_state;
  if (state.failure) {
    return std::unexpected(*state.failure);
  }
  if (state.finished) {
    return base::fail(base::ErrorCode::Internal, "the session is finished already");
  }
  base::Result<void> written = state.checkPlace();
  if (written) {
    written = state.transact(batch);
  }
  if (!written) {
    // The lost transaction's contexts and sums are unknown to the file, so nothing may follow it.
    state.failure = state.located(std::move(written.error()));
    return std::unexpected(*state.failure);
  }
  return {};
}

base::Result<void> SessionWriter::finish(const record::SessionEnd &end) {
  State &state = *m_state;
  if (state.finished) {
    return base::fail(base::ErrorCode::Internal, "the session is finished already");
  }
  state.finished = true;
  base::Result<void> ended = state.end(end);
  // Statements before their connection.
  state.rows.reset();
  for (Statement *statement : {&state.begin, &state.commit, &state.storeContext, &state.insertCalls, &state.insertSpan}) {
    *statement = Statement();
  }
  state.database.close();
  if (!ended) {
    return std::unexpected(state.located(std::move(ended.error())));
  }
  return {};
}

const std::filesystem::path &SessionWriter::path() const { return m_state->path; }

} // namespace jitscope::session
