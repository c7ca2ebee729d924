// SPDX-License-Identifier: GPL-3.0-or-later
#include "output/output_file.h"

#include "base/try.h"
#include "session/file/session_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::app {

using base::ErrorCode;
using base::fail;
namespace fs = std::filesystem;

namespace {

std::unexpected<base::Error> refuse(ErrorCode code, const fs::path &path, std::string_view why) {
  return fail(code, fmt::format("{} cannot be written: {}", path.string(), why));
}

} // namespace

base::Result<OutputFile> OutputFile::open(const fs::path &path) {
  if (path.empty() || path == "-") {
    return OutputFile({}, {}, {}, stdout);
  }
  std::error_code unknown;
  const fs::file_status status = fs::status(path, unknown);
  if (fs::is_directory(status)) {
    return refuse(ErrorCode::StorageOpen, path, "it is a folder; add a file name");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    // A pipe or a device takes the text itself; a file of its name must not take its place.
    std::FILE *device = std::fopen(path.c_str(), "wb");
    if (device == nullptr) {
      return refuse(ErrorCode::StorageOpen, path, std::strerror(errno));
    }
    return OutputFile(path, {}, {}, device);
  }
  if (session::isDatabaseFile(path)) {
    return refuse(ErrorCode::StorageExists, path, "it is a session or another database, which a report does not replace");
  }
  // Behind a link, so that the link stays.
  fs::path target = fs::is_symlink(fs::symlink_status(path, unknown)) ? fs::weakly_canonical(path, unknown) : path;
  std::string temporary = fmt::format("{}.tmp-{}", target.string(), ::getpid());
  std::FILE *file = std::fopen(temporary.c_str(), "wbx");
  if (file == nullptr) {
    const int cause = errno;
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    return refuse(ErrorCode::StorageOpen, path,
                  cause == ENOENT && !fs::exists(folder, unknown) ? fmt::format("the folder {} does not exist", folder.string())
                                                                  : std::strerror(cause));
  }
  return OutputFile(path, std::move(target), std::move(temporary), file);
}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : m_path(std::move(other.m_path)), m_target(std::move(other.m_target)), m_temporary(std::move(other.m_temporary)),
      m_file(std::exchange(other.m_file, nullptr)) {}

OutputFile::~OutputFile() {
  if (m_file == nullptr || m_file == stdout) {
    return;
  }
  std::fclose(m_file);
  if (!m_temporary.empty()) {
    std::remove(m_temporary.c_str());
  }
}

std::unexpected<base::Error> OutputFile::cannotWrite(int cause) const {
  if (m_path.empty()) {
    return fail(ErrorCode::StorageWrite, fmt::format("standard output cannot be written: {}", std::strerror(cause)));
  }
  return refuse(ErrorCode::StorageWrite, m_path, std::strerror(cause));
}

base::Result<void> OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), m_file) == text.size()) {
    return {};
  }
  // A reader that has seen enough (head, less) is no failure.
  return errno == EPIPE ? base::Result<void>() : cannotWrite(errno);
}

base::Result<void> OutputFile::commit() {
  errno = 0;
  bool isWritten = std::fflush(m_file) == 0 || errno == EPIPE;
  if (m_temporary.empty()) {
    return isWritten ? base::Result<void>() : cannotWrite(errno);
  }
  isWritten = isWritten && ::fsync(::fileno(m_file)) == 0;
  int cause = errno;
  isWritten = std::fclose(std::exchange(m_file, nullptr)) == 0 && isWritten;
  if (isWritten && std::rename(m_temporary.c_str(), m_target.c_str()) == 0) {
    return {};
  }
  cause = isWritten ? errno : cause;
  std::remove(m_temporary.c_str());
  return cannotWrite(cause);
}

base::Result<void> writeResult(const fs::path &path, std::string_view text) {
  JITSCOPE_TRY(OutputFile file, OutputFile::open(path));
  base::Result<void> written = file.write(text);
  return written ? file.commit() : written;
}

} // namespace jitscope::app
