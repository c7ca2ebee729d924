// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file/session_place.h"

#include "base/try.h"
#include "session/file/session_file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include <unistd.h>

namespace jitscope::session {

namespace fs = std::filesystem;

namespace {

std::unexpected<base::Error> refuse(std::string message) { return base::fail(base::ErrorCode::StorageOpen, std::move(message)); }

/// Whether a journal belongs to a transaction over several files: then it names a list of them, which SQLite deletes once it has
/// rolled back (https://www.sqlite.org/fileformat.html, 3). Jitscope makes none.
bool namesOtherFiles(const fs::path &journal) {
  constexpr std::array<char, 8> kMark{'\xd9', '\xd5', '\x05', '\xf9', '\x20', '\xa1', '\x63', '\xd7'};
  std::ifstream file(journal, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg();
  std::array<char, kMark.size()> end{};
  if (size < static_cast<std::streamoff>(end.size())) {
    return false;
  }
  file.seekg(size - static_cast<std::streamoff>(end.size()));
  file.read(end.data(), end.size());
  return file && end == kMark;
}

base::Result<void> checkSideFiles(const fs::path &path) {
  for (const char *suffix : {"-wal", "-shm", "-journal"}) {
    const fs::path side = sideFile(path, suffix);
    std::error_code error;
    const fs::file_status status = fs::symlink_status(side, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      return refuse(fmt::format("\"{}\" beside it is not a regular file; remove it, or copy the session elsewhere", side.string()));
    }
  }
  if (const fs::path journal = sideFile(path, "-journal"); namesOtherFiles(journal)) {
    return refuse(fmt::format("\"{}\" beside it names other files, which no session does; remove it, or copy the session elsewhere",
                              journal.string()));
  }
  return {};
}

} // namespace

std::uint64_t fileBytes(const fs::path &path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

bool hasLog(const fs::path &path) {
  std::error_code error;
  return fs::exists(sideFile(path, "-wal"), error);
}

bool hasJournal(const fs::path &path) { return fileBytes(sideFile(path, "-journal")) > 0; }

base::Result<void> checkPlace(const fs::path &path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return refuse("it does not exist");
  }
  if (status.type() == fs::file_type::none) {
    return refuse(error.message());
  }
  if (fs::is_directory(status)) {
    return refuse("it is a folder; name a session file (*.jitscope) in it");
  }
  if (!fs::is_regular_file(status)) {
    return refuse("it is not a regular file");
  }
  // eaccess asks for the effective user, as open does.
  if (eaccess(path.c_str(), R_OK) != 0) {
    return refuse(errno == EACCES ? "no permission to read it" : std::generic_category().message(errno));
  }
  return checkSideFiles(path);
}

} // namespace jitscope::session
