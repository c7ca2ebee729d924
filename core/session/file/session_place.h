// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>

/// A session among its neighbours: what lies at its path and beside it, before SQLite opens any of that.
namespace jitscope::session {

/// Whether a session can be read there: a regular file that is readable, or a link to one, with side files that are regular files
/// and no links, since SQLite would follow these, write through them, or wait for a pipe. StorageOpen, saying what it is instead.
[[nodiscard]] base::Result<void> checkPlace(const std::filesystem::path &path);

/// Bytes; 0 if there is none.
[[nodiscard]] std::uint64_t fileBytes(const std::filesystem::path &path);
/// Whether a log lies beside a session, even an empty one: it was being written, or is.
[[nodiscard]] bool hasLog(const std::filesystem::path &path);
/// Whether the journal of a transaction lies beside a session that whoever began it did not end.
[[nodiscard]] bool hasJournal(const std::filesystem::path &path);

} // namespace jitscope::session
