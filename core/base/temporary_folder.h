// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstddef>
#include <filesystem>

namespace jitscope::base {

/// A private folder for temporary files: mode 0700, with an unpredictable name. The destructor removes it with everything in it.
/// Links in it are removed and not followed.
///
/// Its owner holds a lock on it (flock(2)), which the kernel releases when the last process with the descriptor ends. A folder
/// without a lock was left behind, and `removeAbandoned` may remove it.
class TemporaryFolder {
public:
  /// No folder: `path` is empty.
  TemporaryFolder() = default;
  /// Creates a folder in TMPDIR, or else in /tmp. StorageOpen if that fails; the message names the location.
  [[nodiscard]] static Result<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder &&other) noexcept;
  TemporaryFolder &operator=(TemporaryFolder &&other) noexcept;
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path &path() const { return m_path; }
  /// The descriptor that holds the lock; -1 without a folder. Other programs do not inherit it by default. Pass it to a process
  /// that works in the folder and may outlive this one.
  [[nodiscard]] int lockDescriptor() const { return m_lock; }

  /// Removes this user's folders whose owners were killed, and returns their number. Folders that cannot be checked or removed
  /// stay.
  static std::size_t removeAbandoned();

private:
  std::filesystem::path m_path;
  int m_lock = -1;
};

} // namespace jitscope::base
