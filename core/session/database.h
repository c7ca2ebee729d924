// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

/// A thin layer over SQLite: ownership, and failures as values. One thread at a time for a database and its statements.
namespace jitscope::session {

/// One prepared statement. A failed `bind` is remembered and reported by the next `step`.
class Statement {
public:
  Statement() = default;

  /// Binds parameter `index`, counting from 1. Text is not copied: it must live until the statement has been reset. Unsigned
  /// values are stored as SQLite's signed 64 bits.
  void bind(int index, std::int64_t value);
  void bind(int index, std::uint64_t value);
  void bind(int index, std::uint32_t value);
  void bind(int index, int value);
  void bind(int index, double value);
  void bind(int index, std::string_view value);
  void bindNull(int index);
  /// Binds `value`, or NULL where it is 0: ids that mean "none".
  void bindId(int index, std::uint64_t value);

  /// Goes to the next row: true when there is one. After false or an error the statement is reset and can be bound anew.
  [[nodiscard]] base::Result<bool> step();
  /// Runs to the end, ignoring rows.
  [[nodiscard]] base::Result<void> run();
  /// Back to the beginning, so that the values can be bound again. Needed only after leaving rows unread.
  void reset();

  /// Values of the present row, columns counting from 0. NULL reads as 0 or empty. Text is valid until the next `step`.
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::uint64_t unsignedInteger(int column) const;
  [[nodiscard]] std::uint32_t number(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] bool isNull(int column) const;

private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt *statement) const;
  };
  explicit Statement(sqlite3_stmt *statement) : m_statement(statement) {}
  void note(int status);

  std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
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
  std::unique_ptr<sqlite3, Close> m_handle;
};

/// Several reads that see one state of a session that is still being written. Nests. Ends with the object's life.
class ReadSnapshot {
public:
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

} // namespace jitscope::session
