// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "session/file/session_info.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace jitscope::session {

class Database;

/// Makes `path` a session without calls, status "running", written by this process. The file appears whole or not at all: it is
/// made beside its place and then moved there. `overwrite` allows replacing a session that nobody is writing, and nothing else.
[[nodiscard]] base::Result<void> createSessionFile(const std::filesystem::path &path, const SessionInfo &info, bool overwrite);

/// What the first bytes of a file say.
enum class FileKind : std::uint8_t {
  Empty,
  NotSqlite,
  Truncated,     ///< begins as SQLite does, and ends within the header
  ForeignSqlite, ///< an SQLite file of some other program
  Newer,         ///< a session of a newer layout
  Older,         ///< a session of an older layout
  Session,
};

struct FileHeader {
  FileKind kind = FileKind::Empty;
  std::int32_t version = 0;    ///< user_version
  std::uint64_t pageSize = 0;  ///< bytes
  std::uint64_t pageCount = 0; ///< pages that the header promises; 0 where it does not say
  bool isPlain = false;        ///< everything is in the one file: it has no log
};

/// Judges an open file by its header (https://www.sqlite.org/fileformat.html, 1.3).
[[nodiscard]] base::Result<FileHeader> readHeader(Database &database);

/// Puts everything into the one file and removes the side files `-wal` and `-shm`. `stepwise` syncs to the disk between the steps,
/// so that nothing is lost should the power fail meanwhile. Gives false when another program has the session open; it is then
/// complete and readable, but still has its side files. Waits a moment before each try but the first.
[[nodiscard]] base::Result<bool> makePlainFile(Database &database, bool stepwise, int tries = 5);

/// Asks the disk to have the file and its name.
[[nodiscard]] base::Result<void> syncToDisk(Database &database, const std::filesystem::path &path);

/// Whether a file begins as SQLite's do: a session, or a database of another program. False for what cannot be read, pipes and
/// devices.
[[nodiscard]] bool isDatabaseFile(const std::filesystem::path &path);

/// `-wal`, `-shm` or `-journal` beside a session.
[[nodiscard]] std::filesystem::path sideFile(const std::filesystem::path &path, const char *suffix);

} // namespace jitscope::session
