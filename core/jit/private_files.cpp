// SPDX-License-Identifier: GPL-3.0-or-later
#include "jit/private_files.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::jit {

namespace {

constexpr mode_t kOthersMayWrite = S_IWGRP | S_IWOTH;
constexpr auto kForeign = "it belongs to another user";
constexpr auto kLink = "it is a link";

} // namespace

std::string whyNotPrivate(const std::filesystem::path &folder) {
  struct stat status{};
  if (::lstat(folder.c_str(), &status) != 0) {
    return errno == ENOENT || errno == ENOTDIR ? "" : std::generic_category().message(errno);
  }
  if (S_ISLNK(status.st_mode)) {
    return kLink;
  }
  if (!S_ISDIR(status.st_mode)) {
    return "it is not a folder";
  }
  if (status.st_uid != ::geteuid()) {
    return kForeign;
  }
  return (status.st_mode & kOthersMayWrite) != 0 ? "others can write to it" : "";
}

PrivateFile::PrivateFile(const std::filesystem::path &path, std::uint64_t maxBytes) {
  const int folder = ::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) {
    // A link where a folder belongs is no folder to the kernel.
    const bool isLink = errno == ENOTDIR || errno == ELOOP;
    m_problem = errno == ENOENT ? "" : isLink ? "its folder is not a folder, or is a link" : std::generic_category().message(errno);
    return;
  }
  struct stat status{};
  if (::fstat(folder, &status) != 0 || status.st_uid != ::geteuid()) {
    m_problem = "its folder belongs to another user";
  } else {
    // A pipe is not waited for.
    m_descriptor = ::openat(folder, path.filename().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (m_descriptor < 0) {
      m_problem = errno == ENOENT ? "" : errno == ELOOP ? kLink : std::generic_category().message(errno);
    } else if (m_problem = judge(maxBytes); !m_problem.empty()) {
      ::close(std::exchange(m_descriptor, -1));
    }
  }
  ::close(folder);
}

std::string PrivateFile::judge(std::uint64_t maxBytes) {
  if (::fstat(m_descriptor, &m_status) != 0) {
    return std::generic_category().message(errno);
  }
  if (!S_ISREG(m_status.st_mode)) {
    return "it is not a regular file";
  }
  if (m_status.st_uid != ::geteuid()) {
    return kForeign;
  }
  if ((m_status.st_mode & kOthersMayWrite) != 0) {
    return "others can write to it";
  }
  if (m_status.st_nlink > 1) {
    return "it has a second name elsewhere (a hard link)";
  }
  if (static_cast<std::uint64_t>(m_status.st_size) > maxBytes) {
    return fmt::format("it is larger than {} MiB", maxBytes >> 20U);
  }
  return "";
}

PrivateFile::~PrivateFile() {
  if (m_descriptor >= 0) {
    ::close(m_descriptor);
  }
}

} // namespace jitscope::jit
