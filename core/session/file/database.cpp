// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file/database.h"

#include "base/try.h"
#include "base/utf8.h"
#include "session/file/query_guard.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <limits>
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
    return base::ErrorCode::StorageWrite;
  case SQLITE_INTERRUPT:
    return base::ErrorCode::StorageCancelled;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
  case SQLITE_TOOBIG:
    return base::ErrorCode::StorageCorrupt;
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
  case SQLITE_TOOBIG:
    return "; a text or a row is longer than a session may have";
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

/// The text with each byte that is no part of UTF-8 written as "\\xff", as reports show it.
std::string withBytesEscaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t length = 1;
    while (length < std::min<std::size_t>(text.size(), 4) && !base::isUtf8(text.substr(0, length))) {
      ++length;
    }
    const bool isCharacter = base::isUtf8(text.substr(0, length));
    length = isCharacter ? length : 1;
    result +=
        isCharacter ? std::string(text.substr(0, length)) : fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    text.remove_prefix(length);
  }
  return result;
}

std::unexpected<base::Error> notOpen() { return base::fail(base::ErrorCode::StorageOpen, "the session is closed; open it again"); }

/// SQLite's handle of the file itself; null where it has none.
sqlite3_file *mainFile(sqlite3 *database) {
  sqlite3_file *file = nullptr;
  const int found = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void *>(&file));
  return found == SQLITE_OK && file != nullptr && file->pMethods != nullptr ? file : nullptr;
}

} // namespace

std::string quotedValue(std::string_view text) {
  constexpr std::size_t kMaximum = 60;
  std::string shown = "\"";
  for (const char letter : text.substr(0, kMaximum)) {
    const bool isPlain = letter >= ' ' && letter <= '~' && letter != '"';
    shown += isPlain ? letter : '?';
  }
  return shown + (text.size() > kMaximum ? "...\"" : "\"");
}

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
  if (!base::isUtf8(value)) [[unlikely]] {
    // Names and messages of scripts can have any bytes; the text of a session is UTF-8.
    const std::string escaped = withBytesEscaped(value);
    note(sqlite3_bind_text64(m_statement.get(), index, escaped.data(), escaped.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
    return;
  }
  // A null pointer would bind NULL; an empty text is a value.
  const char *data = value.data() == nullptr ? "" : value.data();
  note(sqlite3_bind_text64(m_statement.get(), index, data, value.size(), SQLITE_STATIC, SQLITE_UTF8));
}
void Statement::bindCut(int index, std::string_view value, std::size_t maxBytes) {
  const std::string cut = std::string(value.substr(0, base::characterStart(value, maxBytes))) + "…";
  const std::string text = base::isUtf8(cut) ? cut : withBytesEscaped(cut);
  note(sqlite3_bind_text64(m_statement.get(), index, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}
void Statement::bindNull(int index) { note(sqlite3_bind_null(m_statement.get(), index)); }
void Statement::bindFrom(int index, const Statement &row, int column) {
  note(sqlite3_bind_value(m_statement.get(), index, sqlite3_column_value(row.m_statement.get(), column)));
}
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
  if (base::Result<void> good = sound(); !good) {
    reset();
    return std::unexpected(std::move(good.error()));
  }
  charge(m_guard, m_spent);
  const int status = sqlite3_step(m_statement.get());
  if (status == SQLITE_ROW) {
    return true;
  }
  if (status == SQLITE_DONE) {
    reset();
    return false;
  }
  base::Error error = failureOf(database, m_guard);
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

void Statement::reset() {
  sqlite3_reset(m_statement.get());
  m_spent = std::chrono::nanoseconds(0);
  m_heldRows = 0;
  m_textBytes = 0;
  m_refused.reset();
}

base::Result<void> Statement::sound() const {
  return m_refused ? base::Result<void>(std::unexpected(named(*m_refused, m_guard))) : base::Result<void>();
}

base::Result<void> Statement::hold() {
  ++m_heldRows;
  if (m_guard != nullptr && m_guard->isDistrusted && m_heldRows > m_guard->limits.heldRows) {
    return std::unexpected(tooMuch(fmt::format("more than {} rows", m_guard->limits.heldRows), m_guard));
  }
  return bounded();
}

base::Result<void> Statement::bounded() const {
  if (m_guard != nullptr && m_guard->isDistrusted && m_textBytes > m_guard->limits.heldBytes) {
    return std::unexpected(tooMuch(fmt::format("more than {} MiB of text", m_guard->limits.heldBytes >> 20U), m_guard));
  }
  return {};
}

void Statement::refuse(int column, std::string_view why) const {
  if (m_refused) {
    return;
  }
  sqlite3_stmt *statement = m_statement.get();
  const char *name = sqlite3_column_name(statement, column);
  std::string value;
  switch (type(column)) {
  case ValueType::Null:
    value = "nothing";
    break;
  case ValueType::Integer:
    value = fmt::format("{}", sqlite3_column_int64(statement, column));
    break;
  case ValueType::Real:
    value = fmt::format("{}", sqlite3_column_double(statement, column));
    break;
  case ValueType::Text:
    value = quotedValue(text(column));
    break;
  case ValueType::Blob:
    value = fmt::format("{} bytes", sqlite3_column_bytes(statement, column));
    break;
  }
  m_refused = std::make_unique<base::Error>(
      base::Error{base::ErrorCode::StorageCorrupt,
                  fmt::format("{} in column {} {}", value, name == nullptr ? "?" : quotedValue(name), why),
                  {}});
}

ValueType Statement::type(int column) const {
  switch (sqlite3_column_type(m_statement.get(), column)) {
  case SQLITE_INTEGER:
    return ValueType::Integer;
  case SQLITE_FLOAT:
    return ValueType::Real;
  case SQLITE_TEXT:
    return ValueType::Text;
  case SQLITE_BLOB:
    return ValueType::Blob;
  default:
    return ValueType::Null;
  }
}

std::int64_t Statement::integer(int column) const {
  const int type = sqlite3_column_type(m_statement.get(), column);
  if (type != SQLITE_INTEGER && type != SQLITE_NULL) [[unlikely]] {
    refuse(column, "is no whole number");
    return 0;
  }
  return sqlite3_column_int64(m_statement.get(), column);
}
std::uint64_t Statement::unsignedInteger(int column) const {
  const std::int64_t value = integer(column);
  if (value < 0) [[unlikely]] {
    refuse(column, "is negative");
    return 0;
  }
  return static_cast<std::uint64_t>(value);
}
std::uint32_t Statement::number(int column) const {
  const std::int64_t value = integer(column);
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) [[unlikely]] {
    refuse(column, "is out of range");
    return 0;
  }
  return static_cast<std::uint32_t>(value);
}
double Statement::real(int column) const {
  const int type = sqlite3_column_type(m_statement.get(), column);
  if (type == SQLITE_TEXT || type == SQLITE_BLOB) [[unlikely]] {
    refuse(column, "is no number");
    return 0;
  }
  return sqlite3_column_double(m_statement.get(), column);
}
std::string_view Statement::text(int column) const {
  const void *data = sqlite3_column_text(m_statement.get(), column);
  if (data == nullptr) {
    return {};
  }
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column));
  m_textBytes += size;
  return {static_cast<const char *>(data), size};
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
  return adopt(handle, status);
}

base::Result<Database> Database::inMemory() {
  sqlite3 *handle = nullptr;
  const int status =
      sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  return adopt(handle, status);
}

base::Result<Database> Database::adopt(sqlite3 *handle, int status) {
  Database database;
  database.m_guard = std::make_unique<QueryGuard>();
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

base::Result<void> Database::distrust(const ReadLimits &limits) {
  sqlite3 *handle = m_handle.get();
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  // What our own statements need, with room to spare; they hold lists of ids that a filter selects.
  constexpr std::array<std::pair<int, int>, 8> kLimits{{{SQLITE_LIMIT_SQL_LENGTH, 8 * 1024 * 1024},
                                                        {SQLITE_LIMIT_COLUMN, 100},
                                                        {SQLITE_LIMIT_EXPR_DEPTH, 200},
                                                        {SQLITE_LIMIT_COMPOUND_SELECT, 20},
                                                        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
                                                        {SQLITE_LIMIT_ATTACHED, 0},
                                                        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                                        {SQLITE_LIMIT_WORKER_THREADS, 0}}};
  for (const auto &[limit, value] : kLimits) {
    sqlite3_limit(handle, limit, value);
  }
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, limits.valueBytes);
  m_guard->limits = limits;
  m_guard->isDistrusted = true;
  sqlite3_file *file = mainFile(handle);
  sqlite3_int64 size = 0;
  if (limits.queryTime.count() != 0 && limits.bytesPerSecond != 0 && file != nullptr &&
      file->pMethods->xFileSize(file, &size) == SQLITE_OK) {
    m_guard->limits.queryTime += std::chrono::seconds(static_cast<std::uint64_t>(size) / limits.bytesPerSecond);
  }
  watch();
  return execute("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;");
}

void Database::watch() {
  if (!m_handle) {
    return; // a session that could not be opened again
  }
  constexpr int kInstructions = 5000;
  const bool isNeeded = m_guard->cancelled != nullptr || m_guard->limits.queryTime.count() != 0;
  sqlite3_progress_handler(m_handle.get(), kInstructions, isNeeded ? checkGuard : nullptr, m_guard.get());
}

base::Result<void> Database::execute(const std::string &sql) {
  if (!m_handle) {
    return notOpen();
  }
  m_guard->own = std::chrono::nanoseconds(0);
  charge(m_guard.get(), m_guard->own);
  if (sqlite3_exec(m_handle.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return std::unexpected(failureOf(m_handle.get(), m_guard.get()));
  }
  return {};
}

base::Result<Statement> Database::prepare(std::string_view sql) {
  if (!m_handle) {
    return notOpen();
  }
  // The first statement reads the schema.
  m_guard->own = std::chrono::nanoseconds(0);
  charge(m_guard.get(), m_guard->own);
  sqlite3_stmt *statement = nullptr;
  if (sqlite3_prepare_v2(m_handle.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK) {
    return std::unexpected(failureOf(m_handle.get(), m_guard.get()));
  }
  return Statement(statement, m_guard.get());
}

base::Result<std::optional<std::int64_t>> Database::queryInteger(std::string_view sql) {
  JITSCOPE_TRY(Statement statement, prepare(sql));
  JITSCOPE_TRY(const bool row, statement.step());
  const std::optional<std::int64_t> value = row ? std::optional(statement.integer(0)) : std::nullopt;
  const base::Result<void> good = statement.sound();
  return good ? base::Result<std::optional<std::int64_t>>(value) : std::unexpected(good.error());
}

base::Result<std::optional<std::string>> Database::queryText(std::string_view sql) {
  JITSCOPE_TRY(Statement statement, prepare(sql));
  JITSCOPE_TRY(const bool row, statement.step());
  return row ? std::optional(std::string(statement.text(0))) : std::nullopt;
}

void Database::setBusyTimeout(int milliseconds) { sqlite3_busy_timeout(m_handle.get(), milliseconds); }

void Database::setCancelFlag(const std::atomic<bool> *cancelled) {
  m_guard->cancelled = cancelled;
  watch();
}

bool Database::hasMoved() const {
  int moved = 0;
  return m_handle && sqlite3_file_control(m_handle.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
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
