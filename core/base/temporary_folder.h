// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstddef>
#include <filesystem>

namespace jitscope::base {

/// A folder of one's own for temporary files, for this user alone (mode 0700, under a name that nobody can foresee), removed with
/// everything in it at the end of its object's life. Links in it are removed and not followed.
///
/// Its owner keeps it locked (flock(2)). The lock goes with the last process that has the descriptor, however that process ends:
/// a folder that nobody has locked was left behind, and `removeAbandoned` may take it.
class TemporaryFolder {
public:
  /// No folder: `path` is empty.
  TemporaryFolder() = default;
  /// Makes one where temporary files of this system go (TMPDIR, else /tmp). StorageOpen where that is impossible; the message
  /// names the place.
  [[nodiscard]] static Result<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder &&other) noexcept;
  TemporaryFolder &operator=(TemporaryFolder &&other) noexcept;
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path &path() const { return m_path; }
  /// The descriptor that holds the lock; -1 without a folder. Not inherited by other programs unless it is given to them: a process
  /// that works in the folder and may outlive this one should have it.
  [[nodiscard]] int lockDescriptor() const { return m_lock; }

  /// Removes the folders of this user whose owners were killed; gives how many. What cannot be judged or removed stays.
  static std::size_t removeAbandoned();

private:
  std::filesystem::path m_path;
  int m_lock = -1;
};

} // namespace jitscope::base
