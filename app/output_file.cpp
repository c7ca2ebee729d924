// SPDX-License-Identifier: GPL-3.0-or-later
#include "output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::app {

using base::ErrorCode;
using base::fail;

base::Result<void> writeResult(const std::filesystem::path &path, std::string_view text) {
  if (path.empty() || path == "-") {
    const bool isWritten = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    // A reader that has seen enough (head, less) is no failure.
    if (!isWritten && errno != EPIPE) {
      return fail(ErrorCode::StorageWrite, fmt::format("standard output cannot be written: {}", std::strerror(errno)));
    }
    return {};
  }
  const std::string temporary = fmt::format("{}.tmp-{}", path.string(), ::getpid());
  std::FILE *file = std::fopen(temporary.c_str(), "wbx");
  if (file == nullptr) {
    return fail(ErrorCode::StorageOpen, fmt::format("{} cannot be written: {}", path.string(), std::strerror(errno)));
  }
  bool isWritten = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  isWritten = std::fflush(file) == 0 && isWritten;
  isWritten = ::fsync(::fileno(file)) == 0 && isWritten;
  int cause = errno;
  isWritten = std::fclose(file) == 0 && isWritten;
  if (isWritten && std::rename(temporary.c_str(), path.c_str()) == 0) {
    return {};
  }
  cause = isWritten ? errno : cause;
  std::remove(temporary.c_str());
  return fail(ErrorCode::StorageWrite, fmt::format("{} cannot be written: {}", path.string(), std::strerror(cause)));
}

} // namespace jitscope::app
