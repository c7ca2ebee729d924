// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/temporary_folder.h"
#include "record/session_end.h"
#include "session/file/database.h"
#include "session/file/process_identity.h"
#include "session/file/session_info.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace jitscope::session {

/// The row of table `session`.
struct SessionRow {
  SessionInfo info;
  /// `Running` while the process that writes it lives; `Interrupted` where that process is gone without having said how it ended.
  record::SessionStatus status = record::SessionStatus::Running;
  std::string error;            ///< empty unless something went wrong
  std::uint64_t durationNs = 0; ///< until its end; while it runs or where the end is unknown, until the last thing it holds
  ProcessIdentity writer;
  bool abandoned = false; ///< the file still says "running", and its writer is gone
};

struct OpenOptions {
  /// Check the structure of every page (PRAGMA quick_check, some 0.1 s for 32 MiB) and the values of every row of files up to this
  /// size. In larger ones the tables that grow with the calls are left out: damage shows when a query meets it.
  std::uint64_t verifyUpToBytes = std::uint64_t{64} * 1024 * 1024;
  /// Put what a killed process left behind in order: status, indexes, one plain file.
  bool repair = true;
};

/// An open session. The connection goes before the folder it may read from.
struct OpenedSession {
  base::TemporaryFolder copy;
  Database database;
  SessionRow row;
};

/// Opens a session for reading, whatever state it is in: finished, still being written, or left behind by a killed process, in a
/// folder that can be written or not. The file may come from anywhere: its schema must be exactly ours, its values are checked
/// (`checkSchema`, `checkValues`), and what its content can cost is bounded (`Database::distrust`). StorageOpen: missing, a folder,
/// unreadable, beside it a log or journal that is not its own. StorageFormat: not a session. StorageNewer: from a newer version.
/// StorageCorrupt: damaged, or values that no run has. The message names the path.
[[nodiscard]] base::Result<OpenedSession> openSession(const std::filesystem::path &path, const OpenOptions &options);

/// Reads the row again and judges whether the writer lives.
[[nodiscard]] base::Result<SessionRow> readSessionRow(Database &database);

/// Makes one plain file of a session that ended while somebody was reading it, if that somebody was the last. Best effort.
void tidySession(const std::filesystem::path &path);

} // namespace jitscope::session
