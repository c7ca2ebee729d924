// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session_open.h"

#include "base/try.h"
#include "session/schema.h"
#include "session/session_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>

#include <unistd.h>

namespace jitscope::session {

namespace fs = std::filesystem;
using record::SessionStatus;

namespace {

constexpr int kBusyMs = 2000;

// The last moment that the session knows of. The newest call stands for all of them: ids are given in the order of time.
constexpr const char *kLastMomentSql = R"sql(
SELECT max(
  coalesce((SELECT start_ns + lookup_ns + coalesce(wait_ns, 0) + coalesce(compile_ns, 0) + execute_ns
            FROM call_record ORDER BY id DESC LIMIT 1), 0),
  coalesce((SELECT max(start_ns + total_ns) FROM compile), 0), coalesce((SELECT max(start_ns) FROM section), 0),
  coalesce((SELECT max(at_ns) FROM memory), 0), coalesce((SELECT max(at_ns) FROM eviction), 0),
  coalesce((SELECT max(at_ns) FROM log), 0)))sql";

base::Error cannotOpen(const fs::path &path, base::ErrorCode code, std::string_view why) {
  return {code, fmt::format("cannot open the session \"{}\": {}", path.string(), why), {}};
}

base::Error damagedAt(const fs::path &path, std::string_view what) {
  return cannotOpen(path, base::ErrorCode::StorageCorrupt,
                    fmt::format("the file is damaged ({}); take another copy of it, or record the run again", what));
}

base::Error cannotOpen(const fs::path &path, const base::Error &error) {
  // Whatever SQLite finds wrong with the content of a file that has a session's header is damage.
  const bool damaged = error.code == base::ErrorCode::StorageFormat || error.code == base::ErrorCode::Internal;
  const base::ErrorCode code = damaged ? base::ErrorCode::StorageCorrupt : error.code;
  return code == base::ErrorCode::StorageCorrupt ? damagedAt(path, error.message) : cannotOpen(path, code, error.message);
}

std::uint64_t sizeOf(const fs::path &path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

bool hasLog(const fs::path &path) {
  std::error_code error;
  return fs::exists(sideFile(path, "-wal"), error);
}

base::Result<void> checkReadable(const fs::path &path) {
  const auto refuse = [&](std::string_view why) { return std::unexpected(cannotOpen(path, base::ErrorCode::StorageOpen, why)); };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return refuse("it does not exist");
  }
  if (status.type() == fs::file_type::none) {
    return refuse(error.message());
  }
  if (fs::is_directory(status)) {
    return refuse("it is a folder; name a session file (*.jitscope) in it");
  }
  if (!fs::is_regular_file(status)) {
    return refuse("it is not a regular file");
  }
  // eaccess asks for the effective user, as open does.
  if (eaccess(path.c_str(), R_OK) != 0) {
    return refuse(errno == EACCES ? "no permission to read it" : std::generic_category().message(errno));
  }
  return {};
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
  if (const std::uint64_t size = sizeOf(path); size < expected && sizeOf(sideFile(path, "-wal")) == 0) {
    return std::unexpected(damagedAt(path, fmt::format("cut short: {} of {} bytes are there", size, expected)));
  }
  return {};
}

base::Result<void> verify(const fs::path &path, Database &database) {
  const base::Result<std::optional<std::string>> verdict = database.queryText("PRAGMA quick_check(1)");
  if (!verdict) {
    return std::unexpected(cannotOpen(path, verdict.error()));
  }
  if (verdict->value_or("") != "ok") {
    return std::unexpected(damagedAt(path, verdict->value_or("no answer")));
  }
  return {};
}

/// What a killed process left becomes one plain, finished file. Fails, changing nothing, where the file cannot be written or
/// another program has it open, as a writer would whose process cannot be seen from here (in another container).
base::Result<void> repair(const fs::path &path) {
  JITSCOPE_TRY(Database database, Database::open(path, Database::Access::ReadWrite));
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
  const fs::path log = sideFile(path, "-wal");
  if (sizeOf(log) == 0) {
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
  if (!error) {
    fs::copy_file(log, sideFile(copy, "-wal"), error);
  }
  if (error) {
    return std::unexpected(cannotOpen(path, base::ErrorCode::StorageOpen,
                                      fmt::format("it lies in a read-only folder and cannot be copied to \"{}\": {}",
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

/// Opens and reads the row: in place where that goes, from a copy elsewhere.
base::Result<OpenedSession> openAndRead(const fs::path &path) {
  base::Result<OpenedSession> opened = openInPlace(path);
  if (!opened) {
    return opened;
  }
  JITSCOPE_TRY_VOID(checkHeader(path, opened->database));
  base::Result<SessionRow> row = readSessionRow(opened->database);
  if (!row && cannotReadInPlace(row.error())) {
    opened = openCopy(path);
    if (!opened) {
      return opened;
    }
    row = readSessionRow(opened->database);
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
    JITSCOPE_TRY(
        Statement select,
        database.prepare(
            "SELECT uuid, jitscope_version, llvm_version, started_utc, script_path, script_sha256, script_text, command_line, "
            "host, "
            "cpu, "
            "cpu_features, os, options, clock_read_ns, call_overhead_ns, status, error, ended_ns, writer_pid, writer_start_ticks, "
            "writer_boot_id FROM session"));
    JITSCOPE_TRY(const bool found, select.step());
    if (!found) {
      return base::fail(base::ErrorCode::StorageCorrupt, "table session is empty");
    }
    SessionRow row;
    SessionInfo &info = row.info;
    int column = 0;
    for (std::string *field :
         {&info.uuid, &info.jitscopeVersion, &info.llvmVersion, &info.startedUtc, &info.scriptPath, &info.scriptSha256,
          &info.scriptText, &info.commandLine, &info.host, &info.cpu, &info.cpuFeatures, &info.os, &info.options}) {
      *field = select.text(column++);
    }
    info.clockReadNs = select.real(13);
    info.callOverheadNs = select.real(14);
    const std::optional<SessionStatus> status = record::sessionStatusFromName(select.text(15));
    if (!status) {
      return base::fail(base::ErrorCode::StorageCorrupt, fmt::format("unknown status \"{}\"", select.text(15)));
    }
    row.status = *status;
    row.error = select.text(16);
    row.writer = {select.integer(18), select.unsignedInteger(19), std::string(select.text(20))};
    if (!select.isNull(17)) {
      row.durationNs = select.unsignedInteger(17);
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
  JITSCOPE_TRY_VOID(checkReadable(path));
  base::Result<OpenedSession> opened = openAndRead(path);
  if (!opened || opened->row.status == SessionStatus::Running) {
    return opened;
  }
  const bool untidy = opened->row.abandoned || hasLog(path);
  if (options.repair && untidy && opened->copy.path().empty()) {
    opened->database.close();
    // Where it cannot be repaired it is read as it is.
    std::ignore = repair(path);
    opened = openAndRead(path);
    if (!opened) {
      return opened;
    }
  }
  if (sizeOf(path) <= options.verifyUpToBytes) {
    JITSCOPE_TRY_VOID(verify(path, opened->database));
  }
  return opened;
}

void tidySession(const fs::path &path) {
  if (!hasLog(path)) {
    return;
  }
  base::Result<Database> database = Database::open(path, Database::Access::ReadWrite);
  if (!database) {
    return;
  }
  const base::Result<SessionRow> row = readSessionRow(*database);
  if (row && row->status != SessionStatus::Running) {
    // Whoever else has it open does the same on closing it.
    std::ignore = makePlainFile(*database, false, 1);
  }
}

} // namespace jitscope::session
