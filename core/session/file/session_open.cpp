// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file/session_open.h"

#include "base/try.h"
#include "session/file/consistency_check.h"
#include "session/file/schema.h"
#include "session/file/session_check.h"
#include "session/file/session_file.h"
#include "session/file/session_place.h"
#include "session/rows/tables.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>

namespace jitscope::session {

namespace fs = std::filesystem;
using record::SessionStatus;

namespace {

constexpr int kBusyMs = 2000;

// The last moment that the session knows of. The newest calls stand for all of them: ids are given in the order of time, but calls
// of other threads may end after the newest one.
constexpr const char *kLastMomentSql = R"sql(
SELECT max(
  coalesce((SELECT max(start_ns + total_ns) FROM (SELECT start_ns, total_ns FROM call_record ORDER BY id DESC LIMIT 10000)), 0),
  coalesce((SELECT max(start_ns + total_ns) FROM compile), 0),
  coalesce((SELECT max(start_ns + trace_ns + load_ns) FROM retrieval), 0), coalesce((SELECT max(start_ns) FROM section), 0),
  coalesce((SELECT max(at_ns) FROM memory), 0), coalesce((SELECT max(at_ns) FROM eviction), 0),
  coalesce((SELECT max(at_ns) FROM log), 0)))sql";

base::Error cannotOpen(const fs::path &path, base::ErrorCode code, std::string_view why) {
  return {code, fmt::format("cannot open the session \"{}\": {}", path.string(), why), {}};
}

base::Error damagedAt(const fs::path &path, std::string_view what) {
  return cannotOpen(path, base::ErrorCode::StorageCorrupt,
                    fmt::format("the file is damaged ({}); take another copy of it, or record the run again", what));
}

/// For what went wrong on reading it.
base::Error cannotOpen(const fs::path &path, const base::Error &error) {
  // Whatever SQLite finds wrong with the content of a file that has a session's header is damage.
  const bool damaged = error.code == base::ErrorCode::Internal;
  const base::ErrorCode code = damaged ? base::ErrorCode::StorageCorrupt : error.code;
  return code == base::ErrorCode::StorageCorrupt ? damagedAt(path, error.message) : cannotOpen(path, code, error.message);
}

base::Result<void> checkHeader(const fs::path &path, Database &database) {
  const base::Result<FileHeader> header = readHeader(database);
  if (!header) {
    return std::unexpected(cannotOpen(path, header.error()));
  }
  const auto refuse = [&](base::ErrorCode code, std::string_view why) { return std::unexpected(cannotOpen(path, code, why)); };
  switch (header->kind) {
  case FileKind::Empty:
    return refuse(base::ErrorCode::StorageFormat, "the file is empty");
  case FileKind::NotSqlite:
    return refuse(base::ErrorCode::StorageFormat, "it is not a Jitscope session");
  case FileKind::ForeignSqlite:
    return refuse(base::ErrorCode::StorageFormat, "it is an SQLite database of another program, not a Jitscope session");
  case FileKind::Newer:
    return refuse(
        base::ErrorCode::StorageNewer,
        fmt::format("it was written by a newer Jitscope (session format {}, this version reads up to {}); upgrade Jitscope",
                    header->version, kSchemaVersion));
  case FileKind::Older:
    return refuse(base::ErrorCode::StorageFormat,
                  fmt::format("it was written by an older Jitscope (session format {}, this version reads {}); record it again",
                              header->version, kSchemaVersion));
  case FileKind::Truncated:
    return std::unexpected(damagedAt(path, "it ends within its header"));
  case FileKind::Session:
    break;
  }
  // Pages that are missing from the file may still be in the log; only without one are they lost.
  const std::uint64_t expected = header->pageSize * header->pageCount;
  if (const std::uint64_t size = fileBytes(path); size < expected && fileBytes(sideFile(path, "-wal")) == 0) {
    return std::unexpected(damagedAt(path, fmt::format("cut short: {} of {} bytes are there", size, expected)));
  }
  // SQLite would take any log beside a session for its own, and put the pages in it over the session's.
  if (const fs::path log = sideFile(path, "-wal"); header->isPlain && fileBytes(log) > 0) {
    // Unless a recording has begun meanwhile.
    if (const base::Result<FileHeader> again = readHeader(database); again && again->isPlain) {
      return refuse(base::ErrorCode::StorageOpen,
                    fmt::format("\"{}\" beside it is not its own; remove it, or copy the session elsewhere", log.string()));
    }
  }
  return {};
}

/// Whether the log beside a session that was left behind is of the same run, as far as that can be told.
base::Result<void> checkLog(const fs::path &path, const SessionRow &row) {
  if (fileBytes(sideFile(path, "-wal")) == 0) {
    return {};
  }
  base::Result<Database> alone = Database::open(path, Database::Access::Immutable);
  if (!alone || !alone->distrust() || !checkSchema(*alone)) {
    return {}; // pages that are in the log alone
  }
  const base::Result<std::optional<std::string>> uuid = alone->queryText("SELECT uuid FROM session");
  if (uuid && uuid->value_or(row.info.uuid) != row.info.uuid) {
    return std::unexpected(cannotOpen(path, base::ErrorCode::StorageOpen,
                                      fmt::format("\"{}\" beside it belongs to another session; remove it, or copy the session "
                                                  "elsewhere",
                                                  sideFile(path, "-wal").string())));
  }
  return {};
}

/// Structure of the file, and what its rows hold. `all`: of every table.
base::Result<void> verify(const fs::path &path, Database &database, bool all) {
  const auto located = [&path](const base::Error &error) { return std::unexpected(cannotOpen(path, error)); };
  if (all) {
    const base::Result<std::optional<std::string>> verdict = database.queryText("PRAGMA quick_check(1)");
    if (!verdict) {
      return located(verdict.error());
    }
    if (verdict->value_or("") != "ok") {
      return std::unexpected(damagedAt(path, verdict->value_or("no answer")));
    }
  }
  const CheckedTables tables = all ? CheckedTables::All : CheckedTables::Small;
  if (const base::Result<void> sound = checkValues(database, tables); !sound) {
    return located(sound.error());
  }
  const base::Result<void> consistent = checkConsistency(database, tables);
  return consistent ? consistent : located(consistent.error());
}

/// What a killed process left becomes one plain, finished file. Fails, changing nothing, where the file cannot be written or
/// another program has it open, as a writer would whose process cannot be seen from here (in another container).
base::Result<void> repair(const fs::path &path) {
  JITSCOPE_TRY(Database database, Database::open(path, Database::Access::ReadWrite));
  JITSCOPE_TRY_VOID(database.distrust());
  JITSCOPE_TRY(const bool alone, makePlainFile(database, true));
  if (!alone) {
    return base::fail(base::ErrorCode::StorageOpen, "another program has it open");
  }
  const std::string sql = fmt::format("BEGIN IMMEDIATE; UPDATE session SET status = 'interrupted', ended_ns = ({}) "
                                      "WHERE status = 'running'; {} COMMIT;",
                                      kLastMomentSql, indexSql());
  return database.execute(sql);
}

/// For a folder in which SQLite may not make its side files.
base::Result<OpenedSession> openCopy(const fs::path &path) {
  OpenedSession opened;
  if (fileBytes(sideFile(path, "-wal")) == 0 && !hasJournal(path)) {
    // Everything is in the one file, and who cannot write here need not fear a writer.
    base::Result<Database> database = Database::open(path, Database::Access::Immutable);
    if (!database) {
      return std::unexpected(cannotOpen(path, database.error()));
    }
    opened.database = *std::move(database);
    return opened;
  }
  base::Result<base::TemporaryFolder> folder = base::TemporaryFolder::create();
  if (!folder) {
    return std::unexpected(cannotOpen(path, folder.error()));
  }
  opened.copy = *std::move(folder);
  const fs::path copy = opened.copy.path() / "session.jitscope";
  std::error_code error;
  fs::copy_file(path, copy, error);
  for (const char *suffix : {"-wal", "-journal"}) {
    if (!error && fileBytes(sideFile(path, suffix)) > 0) {
      fs::copy_file(sideFile(path, suffix), sideFile(copy, suffix), error);
    }
  }
  if (error) {
    return std::unexpected(cannotOpen(path, base::ErrorCode::StorageOpen,
                                      fmt::format("it cannot be read in its folder, and cannot be copied to \"{}\": {}",
                                                  opened.copy.path().string(), error.message())));
  }
  fs::permissions(copy, fs::perms::owner_read | fs::perms::owner_write, error);
  base::Result<Database> database = Database::open(copy, Database::Access::ReadWrite);
  if (!database) {
    return std::unexpected(cannotOpen(path, database.error()));
  }
  opened.database = *std::move(database);
  return opened;
}

bool cannotReadInPlace(const base::Error &error) {
  return error.code == base::ErrorCode::StorageOpen || error.code == base::ErrorCode::StorageWrite;
}

base::Result<OpenedSession> openInPlace(const fs::path &path) {
  OpenedSession opened;
  base::Result<Database> database = Database::open(path, Database::Access::ReadOnly);
  if (!database) {
    return std::unexpected(cannotOpen(path, database.error()));
  }
  opened.database = *std::move(database);
  opened.database.setBusyTimeout(kBusyMs);
  return opened;
}

/// Nothing is read of a file before its schema is known to be a session's.
base::Result<SessionRow> checkAndReadRow(Database &database) {
  JITSCOPE_TRY_VOID(database.distrust());
  JITSCOPE_TRY_VOID(checkSchema(database));
  return readSessionRow(database);
}

/// Opens and reads the row: in place where that goes, from a copy elsewhere.
base::Result<OpenedSession> openAndRead(const fs::path &path) {
  base::Result<OpenedSession> opened = openInPlace(path);
  if (!opened) {
    return opened;
  }
  JITSCOPE_TRY_VOID(checkHeader(path, opened->database));
  base::Result<SessionRow> row = checkAndReadRow(opened->database);
  if (!row && cannotReadInPlace(row.error())) {
    opened = openCopy(path);
    if (!opened) {
      return opened;
    }
    row = checkAndReadRow(opened->database);
  }
  if (!row) {
    return std::unexpected(cannotOpen(path, row.error()));
  }
  opened->row = *std::move(row);
  return opened;
}

} // namespace

base::Result<SessionRow> readSessionRow(Database &database) {
  const auto readOnce = [&database]() -> base::Result<SessionRow> {
    JITSCOPE_TRY(std::vector<SessionRecord> records, collectRows<SessionRecord>(database, "LIMIT 1"));
    if (records.empty()) {
      return base::fail(base::ErrorCode::StorageCorrupt, "table session is empty");
    }
    SessionRecord &record = records.front();
    SessionRow row{std::move(record.info), record.status, std::move(record.error), record.endedNs.value_or(0),
                   std::move(record.writer)};
    if (record.endedNs) {
      return row;
    }
    JITSCOPE_TRY(const std::optional<std::int64_t> last, database.queryInteger(kLastMomentSql));
    row.durationNs = static_cast<std::uint64_t>(last.value_or(0));
    return row;
  };
  base::Result<SessionRow> row = readOnce();
  if (row && row->status == SessionStatus::Running && !row->writer.isAlive()) {
    // It may have ended properly between the two looks; only a second one can tell.
    row = readOnce();
    if (row && row->status == SessionStatus::Running) {
      row->status = SessionStatus::Interrupted;
      row->abandoned = true;
    }
  }
  return row;
}

base::Result<OpenedSession> openSession(const fs::path &path, const OpenOptions &options) {
  if (const base::Result<void> usable = checkPlace(path); !usable) {
    return std::unexpected(cannotOpen(path, usable.error().code, usable.error().message));
  }
  JITSCOPE_TRY(OpenedSession opened, openAndRead(path));
  if (opened.row.status != SessionStatus::Running) {
    // What is damaged or foreign is not written to, hence looked at before the repair.
    const bool isUntidy = opened.row.abandoned || hasLog(path) || hasJournal(path);
    const bool canRepair = opened.copy.path().empty() || hasJournal(path);
    const bool repairs = options.repair && isUntidy && canRepair;
    JITSCOPE_TRY_VOID(checkLog(path, opened.row));
    JITSCOPE_TRY_VOID(verify(path, opened.database, repairs || fileBytes(path) <= options.verifyUpToBytes));
    if (repairs) {
      opened.database.close();
      // Where it cannot be repaired it is read as it is.
      std::ignore = repair(path);
      JITSCOPE_TRY(opened, openAndRead(path));
    }
  }
  opened.database.nameInErrors(path);
  return opened;
}

void tidySession(const fs::path &path) {
  if (!hasLog(path) || !checkPlace(path)) {
    return;
  }
  base::Result<Database> database = Database::open(path, Database::Access::ReadWrite);
  if (!database || !database->distrust() || !checkSchema(*database)) {
    return;
  }
  const base::Result<SessionRow> row = readSessionRow(*database);
  if (row && row->status != SessionStatus::Running) {
    // Whoever else has it open does the same on closing it.
    std::ignore = makePlainFile(*database, false, 1);
  }
}

} // namespace jitscope::session
