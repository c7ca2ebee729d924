// SPDX-License-Identifier: GPL-3.0-or-later
#include "output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::app {

using base::ErrorCode;
using base::fail;
namespace fs = std::filesystem;

namespace {

/// Sessions, and databases of others.
bool isDatabase(const fs::path &path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::string head(kMagic.size(), ' ');
  std::ifstream stream(path, std::ios::binary);
  return stream.read(head.data(), static_cast<std::streamsize>(head.size())) && head == kMagic;
}

base::Result<void> writeInto(std::FILE *file, const fs::path &path, std::string_view text) {
  bool isWritten = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  isWritten = std::fflush(file) == 0 && isWritten;
  const int cause = errno;
  if (isWritten || cause == EPIPE) {
    return {};
  }
  return fail(ErrorCode::StorageWrite, fmt::format("{} cannot be written: {}", path.string(), std::strerror(cause)));
}

} // namespace

base::Result<void> writeResult(const std::filesystem::path &path, std::string_view text) {
  if (path.empty() || path == "-") {
    const bool isWritten = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    // A reader that has seen enough (head, less) is no failure.
    if (!isWritten && errno != EPIPE) {
      return fail(ErrorCode::StorageWrite, fmt::format("standard output cannot be written: {}", std::strerror(errno)));
    }
    return {};
  }
  const auto cannotWrite = [&](ErrorCode code, std::string_view why) {
    return fail(code, fmt::format("{} cannot be written: {}", path.string(), why));
  };
  std::error_code unknown;
  const fs::file_status status = fs::status(path, unknown);
  if (fs::is_directory(status)) {
    return cannotWrite(ErrorCode::StorageOpen, "it is a folder; add a file name");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    // A pipe or a device takes the text itself; a file of its name must not take its place.
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> device(std::fopen(path.c_str(), "wb"), &std::fclose);
    return device ? writeInto(device.get(), path, text) : cannotWrite(ErrorCode::StorageOpen, std::strerror(errno));
  }
  if (fs::is_regular_file(status) && isDatabase(path)) {
    return cannotWrite(ErrorCode::StorageExists, "it is a session or another database, which a report does not replace");
  }
  // Behind a link, so that the link stays.
  const fs::path target = fs::is_symlink(fs::symlink_status(path, unknown)) ? fs::weakly_canonical(path, unknown) : path;
  const std::string temporary = fmt::format("{}.tmp-{}", target.string(), ::getpid());
  std::FILE *file = std::fopen(temporary.c_str(), "wbx");
  if (file == nullptr) {
    const int cause = errno;
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    return cannotWrite(ErrorCode::StorageOpen, cause == ENOENT && !fs::exists(folder, unknown)
                                                   ? fmt::format("the folder {} does not exist", folder.string())
                                                   : std::strerror(cause));
  }
  bool isWritten = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  isWritten = std::fflush(file) == 0 && isWritten;
  isWritten = ::fsync(::fileno(file)) == 0 && isWritten;
  int cause = errno;
  isWritten = std::fclose(file) == 0 && isWritten;
  if (isWritten && std::rename(temporary.c_str(), target.c_str()) == 0) {
    return {};
  }
  cause = isWritten ? errno : cause;
  std::remove(temporary.c_str());
  return cannotWrite(ErrorCode::StorageWrite, std::strerror(cause));
}

} // namespace jitscope::app
