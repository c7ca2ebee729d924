// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::base {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kNameStart = "jitscope-work-";
constexpr std::string_view kPlaceholder = "XXXXXX"; // what mkdtemp(3) replaces

fs::path parentFolder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  return error ? fs::path("/tmp") : folder;
}

/// The folder's descriptor with the lock on it; -1 where somebody else has it, or where it cannot be had.
int lockFolder(const fs::path &path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

/// Whether the path still names what the descriptor is of, and that is this user's.
bool isStillThere(const fs::path &path, int descriptor) {
  struct stat named{};
  struct stat opened{};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino && opened.st_uid == ::geteuid();
}

bool isOurs(const fs::directory_entry &entry) {
  const std::string name = entry.path().filename().string();
  struct stat status{};
  return name.starts_with(kNameStart) && name.size() == kNameStart.size() + kPlaceholder.size() &&
         ::lstat(entry.path().c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
}

} // namespace

Result<TemporaryFolder> TemporaryFolder::create() {
  // Between its making and its locking a folder looks abandoned, and may be taken away: then another one.
  constexpr int kTries = 10;
  std::string name;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    name = (parentFolder() / fmt::format("{}{}", kNameStart, kPlaceholder)).string();
    if (::mkdtemp(name.data()) == nullptr) {
      break;
    }
    const int lock = lockFolder(name);
    // Where locks do not exist it is used without one. Nobody can get its lock then, hence nobody takes it away.
    if (lock < 0 || isStillThere(name, lock)) {
      TemporaryFolder folder;
      folder.m_path = name;
      folder.m_lock = lock;
      return folder;
    }
    ::close(lock);
    errno = EAGAIN;
  }
  return fail(ErrorCode::StorageOpen, fmt::format("no temporary folder {} can be made: {}; TMPDIR names another place for it", name,
                                                  std::generic_category().message(errno)));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other) noexcept
    : m_path(std::exchange(other.m_path, {})), m_lock(std::exchange(other.m_lock, -1)) {}

TemporaryFolder &TemporaryFolder::operator=(TemporaryFolder &&other) noexcept {
  std::swap(m_path, other.m_path);
  std::swap(m_lock, other.m_lock);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  if (!m_path.empty()) {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }
  if (m_lock >= 0) {
    ::close(m_lock);
  }
}

std::size_t TemporaryFolder::removeAbandoned() {
  std::size_t removed = 0;
  std::error_code error;
  for (fs::directory_iterator entry(parentFolder(), error), end; !error && entry != end; entry.increment(error)) {
    if (!isOurs(*entry)) {
      continue;
    }
    const int lock = lockFolder(entry->path());
    if (lock < 0) {
      continue;
    }
    // Another one may have come there since it was looked at.
    if (isStillThere(entry->path(), lock)) {
      std::error_code failed;
      fs::remove_all(entry->path(), failed); // removes links, and follows none
      removed += failed ? 0 : 1;
    }
    ::close(lock);
  }
  return removed;
}

} // namespace jitscope::base
