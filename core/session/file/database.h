// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "session/file/read_limits.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;
struct sqlite3_value;

/// A thin layer over SQLite: ownership, and failures as values. One thread at a time for a database and its statements.
namespace jitscope::session {

/// What ends the statements of a connection: a flag, and the time that one of them may work.
struct QueryGuard {
  const std::atomic<bool> *cancelled = nullptr;
  ReadLimits limits{.queryTime = std::chrono::nanoseconds(0)};
  bool isDistrusted = false;
  std::string session;                    ///< what a message about damage names; empty: nothing
  std::chrono::nanoseconds *spent = &own; ///< of the statement that runs
  std::chrono::nanoseconds own{0};
  std::chrono::steady_clock::time_point lastTick; ///< the epoch: none since the statement was called
  bool isExpired = false;
};

/// How SQLite keeps a value; columns do not bind it to what they were declared as.
enum class ValueType : std::uint8_t { Null, Integer, Real, Text, Blob };

/// One prepared statement. A failed `bind` is remembered and reported by the next `step`.
///
/// A value that is not of the type or in the range of the accessor that reads it is remembered as well: the next `step` gives
/// StorageCorrupt, naming the column and the value, and what was read until then must not be used.
class Statement {
public:
  Statement() = default;

  /// Binds parameter `index`, counting from 1. Text is not copied: it must live until the statement has been reset. Bytes in it
  /// that are not UTF-8 are stored as "\xff". Unsigned values are stored as SQLite's signed 64 bits.
  void bind(int index, std::int64_t value);
  void bind(int index, std::uint64_t value);
  void bind(int index, std::uint32_t value);
  void bind(int index, int value);
  void bind(int index, double value);
  void bind(int index, std::string_view value);
  /// The beginning of a text and "…", in at most `maxBytes` bytes and those of the mark.
  void bindCut(int index, std::string_view value, std::size_t maxBytes);
  void bindNull(int index);
  /// Binds `value`, or NULL where it is 0: ids that mean "none".
  void bindId(int index, std::uint64_t value);
  /// Binds the value in a column of another statement's present row, whatever its type.
  void bindFrom(int index, const Statement &row, int column);

  /// Goes to the next row: true when there is one. After false or an error the statement is reset and can be bound again.
  [[nodiscard]] base::Result<bool> step();
  /// Runs to the end, ignoring rows.
  [[nodiscard]] base::Result<void> run();
  /// Back to the beginning, so that the values can be bound again. Needed only after leaving rows unread.
  void reset();

  /// Values of the present row, columns counting from 0. NULL reads as 0 or empty. Text is valid until the next `step`.
  [[nodiscard]] std::int64_t integer(int column) const;
  /// For what is never negative.
  [[nodiscard]] std::uint64_t unsignedInteger(int column) const;
  /// For what has 32 bits.
  [[nodiscard]] std::uint32_t number(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] bool isNull(int column) const;
  [[nodiscard]] ValueType type(int column) const;
  /// Remembers that the value in a column cannot be what it stands for; `why` follows the value in a message, e.g. "is no outcome".
  void refuse(int column, std::string_view why) const;
  /// What was refused in the rows up to now. `step` asks by itself; this is for who leaves rows unread.
  [[nodiscard]] base::Result<void> sound() const;
  /// Counts the present row as held in memory. StorageCorrupt once those of this run are more than the connection allows.
  [[nodiscard]] base::Result<void> hold();
  /// StorageCorrupt once this run has handed out more text than the connection allows.
  [[nodiscard]] base::Result<void> bounded() const;

private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt *statement) const;
  };
  Statement(sqlite3_stmt *statement, QueryGuard *guard) : m_statement(statement), m_guard(guard) {}
  void note(int status);

  std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
  QueryGuard *m_guard = nullptr;
  std::chrono::nanoseconds m_spent{0};
  std::uint64_t m_heldRows = 0;
  mutable std::uint64_t m_textBytes = 0;
  mutable std::unique_ptr<base::Error> m_refused;
  int m_bindStatus = 0;
};

/// One connection. Closing it finalizes nothing: statements go first.
class Database {
public:
  enum class Access : std::uint8_t {
    ReadOnly,
    ReadWrite,
    Immutable, ///< read without locks or side files; only for a file that nobody can be writing
  };

  Database() = default;

  /// Opens an existing file. SQLite reads it only with the first statement, so what is wrong with the content shows there.
  [[nodiscard]] static base::Result<Database> open(const std::filesystem::path &path, Access access);
  /// An empty one of its own, in memory.
  [[nodiscard]] static base::Result<Database> inMemory();

  /// Bounds what the content of the file, which is somebody else's, can make of this connection
  /// (https://www.sqlite.org/security.html): no triggers and extensions, no other file attached, cells checked as they are read,
  /// and `limits` for values, rows and time. A query that is stopped gives StorageCorrupt.
  [[nodiscard]] base::Result<void> distrust(const ReadLimits &limits = {});

  /// From now on what is said about damage names this path.
  void nameInErrors(const std::filesystem::path &path) { m_guard->session = path.string(); }

  /// Runs one or more statements that give no rows.
  [[nodiscard]] base::Result<void> execute(const std::string &sql);
  [[nodiscard]] base::Result<Statement> prepare(std::string_view sql);
  /// The first column of the first row as a number or text; empty when there is no row.
  [[nodiscard]] base::Result<std::optional<std::int64_t>> queryInteger(std::string_view sql);
  [[nodiscard]] base::Result<std::optional<std::string>> queryText(std::string_view sql);

  /// How long a statement waits for another connection's lock before it fails.
  void setBusyTimeout(int milliseconds);
  /// Statements of this connection fail with StorageCancelled soon after `*cancelled` has become true, from whatever thread. Null
  /// takes that back. The flag must outlive the connection or be taken back.
  void setCancelFlag(const std::atomic<bool> *cancelled);
  /// True when the file was deleted, renamed or replaced behind this connection's back.
  [[nodiscard]] bool hasMoved() const;
  /// Asks the disk to have everything that was written to the file (not to its log). Goes through SQLite's own descriptor, for the
  /// reason that `head` has.
  [[nodiscard]] base::Result<void> sync();
  /// The first bytes of the file, read through SQLite's own descriptor: opening and closing another one would drop the locks this
  /// process holds on the file (POSIX record locks belong to the process). Shorter than `count` where the file is.
  [[nodiscard]] base::Result<std::string> head(int count);
  /// True once `open` has given a connection and `close` has not taken it.
  [[nodiscard]] bool isOpen() const { return m_handle != nullptr; }
  void close() { m_handle.reset(); }

  /// For the rest of SQLite's interface.
  [[nodiscard]] sqlite3 *handle() const { return m_handle.get(); }

private:
  struct Close {
    void operator()(sqlite3 *database) const;
  };
  static base::Result<Database> adopt(sqlite3 *handle, int status);
  /// Sees to the guard while SQLite works. Where there is nothing to see to, it is not called.
  void watch();

  std::unique_ptr<QueryGuard> m_guard = std::make_unique<QueryGuard>(); ///< goes after the connection that asks it
  std::unique_ptr<sqlite3, Close> m_handle;
};

/// Several reads that see one state of a session that is still being written. Nests. Ends with the object's life.
class ReadSnapshot {
public:
  using IsGuard = void; ///< see base/try.h
  [[nodiscard]] static base::Result<ReadSnapshot> begin(Database &database);
  ReadSnapshot(ReadSnapshot &&other) noexcept : m_database(other.m_database) { other.m_database = nullptr; }
  ReadSnapshot &operator=(ReadSnapshot &&) = delete;
  ~ReadSnapshot();

private:
  explicit ReadSnapshot(Database &database) : m_database(&database) {}
  Database *m_database;
};

/// What SQLite last complained about, as one of our errors: full disk, damage, locks…, with what to do about it.
base::Error lastError(sqlite3 *database);

/// A text out of a file that is not trusted, in quotes for a message: its beginning, without what would disturb a terminal.
std::string quotedValue(std::string_view text);

} // namespace jitscope::session
