// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/database.h"

#include "base/try.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <system_error>
#include <tuple>
#include <utility>

namespace jitscope::session {

namespace {

base::ErrorCode codeFor(int primary) {
  switch (primary) {
  case SQLITE_FULL:
  case SQLITE_IOERR:
  case SQLITE_READONLY:
  case SQLITE_TOOBIG:
    return base::ErrorCode::StorageWrite;
  case SQLITE_INTERRUPT:
    return base::ErrorCode::StorageCancelled;
  case SQLITE_CORRUPT:
    return base::ErrorCode::StorageCorrupt;
  case SQLITE_NOTADB:
    return base::ErrorCode::StorageFormat;
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
  case SQLITE_AUTH:
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return base::ErrorCode::StorageOpen;
  default:
    return base::ErrorCode::Internal;
  }
}

std::string_view remedyFor(int primary) {
  switch (primary) {
  case SQLITE_FULL:
    return "; free some space on the disk";
  case SQLITE_IOERR:
    return "; the disk may be full or failing";
  case SQLITE_READONLY:
    return "; the file or its folder became read-only, or the file was moved";
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return "; another program holds the file";
  default:
    return "";
  }
}

/// Takes a file's name as it is; `immutable` can only be asked for by URI.
std::string uriFor(const std::filesystem::path &path) {
  std::string uri = "file:";
  for (const char letter : path.string()) {
    if (letter == '?' || letter == '#' || letter == '%') {
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(letter));
    } else {
      uri += letter;
    }
  }
  return uri + "?immutable=1";
}

/// SQLite's handle of the file itself; null where it has none.
sqlite3_file *mainFile(sqlite3 *database) {
  sqlite3_file *file = nullptr;
  const int found = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void *>(&file));
  return found == SQLITE_OK && file != nullptr && file->pMethods != nullptr ? file : nullptr;
}

} // namespace

base::Error lastError(sqlite3 *database) {
  const int extended = sqlite3_extended_errcode(database);
  const int primary = extended & 0xff;
  return {codeFor(primary), fmt::format("{} (SQLite error {}){}", sqlite3_errmsg(database), extended, remedyFor(primary)), {}};
}

void Statement::Finalize::operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }

void Statement::note(int status) {
  if (status != SQLITE_OK && m_bindStatus == SQLITE_OK) {
    m_bindStatus = status;
  }
}

void Statement::bind(int index, std::int64_t value) { note(sqlite3_bind_int64(m_statement.get(), index, value)); }
void Statement::bind(int index, std::uint64_t value) { bind(index, static_cast<std::int64_t>(value)); }
void Statement::bind(int index, std::uint32_t value) { bind(index, static_cast<std::int64_t>(value)); }
void Statement::bind(int index, int value) { bind(index, static_cast<std::int64_t>(value)); }
void Statement::bind(int index, double value) { note(sqlite3_bind_double(m_statement.get(), index, value)); }
void Statement::bind(int index, std::string_view value) {
  // A null pointer would bind NULL; an empty text is a value.
  const char *data = value.data() == nullptr ? "" : value.data();
  note(sqlite3_bind_text64(m_statement.get(), index, data, value.size(), SQLITE_STATIC, SQLITE_UTF8));
}
void Statement::bindNull(int index) { note(sqlite3_bind_null(m_statement.get(), index)); }
void Statement::bindId(int index, std::uint64_t value) {
  if (value == 0) {
    bindNull(index);
  } else {
    bind(index, value);
  }
}

base::Result<bool> Statement::step() {
  sqlite3 *database = sqlite3_db_handle(m_statement.get());
  if (m_bindStatus != SQLITE_OK) {
    const int status = std::exchange(m_bindStatus, SQLITE_OK);
    reset();
    return base::fail(codeFor(status), fmt::format("a value cannot be stored: {}", sqlite3_errstr(status)));
  }
  const int status = sqlite3_step(m_statement.get());
  if (status == SQLITE_ROW) {
    return true;
  }
  if (status == SQLITE_DONE) {
    reset();
    return false;
  }
  base::Error error = lastError(database);
  reset();
  return std::unexpected(std::move(error));
}

base::Result<void> Statement::run() {
  for (;;) {
    JITSCOPE_TRY(const bool row, step());
    if (!row) {
      return {};
    }
  }
}

void Statement::reset() { sqlite3_reset(m_statement.get()); }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(m_statement.get(), column); }
std::uint64_t Statement::unsignedInteger(int column) const { return static_cast<std::uint64_t>(integer(column)); }
std::uint32_t Statement::number(int column) const { return static_cast<std::uint32_t>(integer(column)); }
double Statement::real(int column) const { return sqlite3_column_double(m_statement.get(), column); }
std::string_view Statement::text(int column) const {
  const void *data = sqlite3_column_text(m_statement.get(), column);
  if (data == nullptr) {
    return {};
  }
  const int size = sqlite3_column_bytes(m_statement.get(), column);
  return {static_cast<const char *>(data), static_cast<std::size_t>(size)};
}
bool Statement::isNull(int column) const { return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL; }

void Database::Close::operator()(sqlite3 *database) const { sqlite3_close_v2(database); }

base::Result<Database> Database::open(const std::filesystem::path &path, Access access) {
  // Absolute, so that no name means something special to SQLite, as ":memory:" or "file:…" would.
  std::error_code ignored;
  const std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= access == Access::ReadWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  std::string name = absolute.string();
  if (access == Access::Immutable) {
    flags |= SQLITE_OPEN_URI;
    name = uriFor(absolute);
  }
  sqlite3 *handle = nullptr;
  const int status = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  Database database;
  database.m_handle.reset(handle);
  if (handle == nullptr) {
    return base::fail(base::ErrorCode::Internal, "SQLite is out of memory");
  }
  if (status != SQLITE_OK) {
    return std::unexpected(lastError(handle));
  }
  // A file made by somebody else must not run code or allocate without bound through its schema.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return database;
}

base::Result<void> Database::execute(const std::string &sql) {
  if (sqlite3_exec(m_handle.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return std::unexpected(lastError(m_handle.get()));
  }
  return {};
}

base::Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt *statement = nullptr;
  if (sqlite3_prepare_v2(m_handle.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK) {
    return std::unexpected(lastError(m_handle.get()));
  }
  return Statement(statement);
}

base::Result<std::optional<std::int64_t>> Database::queryInteger(std::string_view sql) {
  JITSCOPE_TRY(Statement statement, prepare(sql));
  JITSCOPE_TRY(const bool row, statement.step());
  return row ? std::optional(statement.integer(0)) : std::nullopt;
}

base::Result<std::optional<std::string>> Database::queryText(std::string_view sql) {
  JITSCOPE_TRY(Statement statement, prepare(sql));
  JITSCOPE_TRY(const bool row, statement.step());
  return row ? std::optional(std::string(statement.text(0))) : std::nullopt;
}

void Database::setBusyTimeout(int milliseconds) { sqlite3_busy_timeout(m_handle.get(), milliseconds); }

void Database::setCancelFlag(const std::atomic<bool> *cancelled) {
  // Looked at every so many instructions of SQLite's machine: some tens of microseconds.
  constexpr int kInstructions = 5000;
  const auto check = [](void *flag) -> int {
    return static_cast<int>(static_cast<const std::atomic<bool> *>(flag)->load(std::memory_order_relaxed));
  };
  // SQLite hands the pointer back to `check`, which makes it const again.
  sqlite3_progress_handler(m_handle.get(), kInstructions, cancelled == nullptr ? nullptr : static_cast<int (*)(void *)>(check),
                           const_cast<std::atomic<bool> *>(cancelled));
}

bool Database::hasMoved() const {
  int moved = 0;
  return sqlite3_file_control(m_handle.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
}

base::Result<void> Database::sync() {
  sqlite3_file *file = mainFile(m_handle.get());
  const int status = file == nullptr ? SQLITE_IOERR_FSYNC : file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
  if (status != SQLITE_OK) {
    return base::fail(base::ErrorCode::StorageWrite,
                      fmt::format("the disk does not take it: {}{}", sqlite3_errstr(status), remedyFor(SQLITE_IOERR)));
  }
  return {};
}

base::Result<std::string> Database::head(int count) {
  sqlite3_file *file = mainFile(m_handle.get());
  if (file == nullptr) {
    return base::fail(base::ErrorCode::StorageOpen, "the file cannot be read");
  }
  sqlite3_int64 size = 0;
  if (const int status = file->pMethods->xFileSize(file, &size); status != SQLITE_OK) {
    return base::fail(base::ErrorCode::StorageOpen, fmt::format("the file cannot be read: {}", sqlite3_errstr(status)));
  }
  std::string bytes(static_cast<std::size_t>(std::min<sqlite3_int64>(size, count)), '\0');
  if (!bytes.empty()) {
    const int status = file->pMethods->xRead(file, bytes.data(), static_cast<int>(bytes.size()), 0);
    if (status != SQLITE_OK) {
      return base::fail(base::ErrorCode::StorageOpen, fmt::format("the file cannot be read: {}", sqlite3_errstr(status)));
    }
  }
  return bytes;
}

base::Result<ReadSnapshot> ReadSnapshot::begin(Database &database) {
  // A savepoint outside a transaction is a deferred transaction; inside one it nests.
  JITSCOPE_TRY_VOID(database.execute("SAVEPOINT read_snapshot"));
  return ReadSnapshot(database);
}

ReadSnapshot::~ReadSnapshot() {
  if (m_database != nullptr) {
    std::ignore = m_database->execute("RELEASE read_snapshot");
  }
}

} // namespace jitscope::session
