// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file/session_file.h"

#include "base/try.h"
#include "session/file/database.h"
#include "session/file/process_identity.h"
#include "session/file/schema.h"
#include "session/file/session_check.h"
#include "session/file/session_place.h"
#include "session/rows/tables.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace jitscope::session {

namespace fs = std::filesystem;

namespace {

std::unexpected<base::Error> cannotCreate(const fs::path &path, std::string_view why,
                                          base::ErrorCode code = base::ErrorCode::StorageOpen) {
  return base::fail(code, fmt::format("cannot create the session \"{}\": {}", path.string(), why));
}

fs::path folderOf(const fs::path &path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

std::string explain(int error, const fs::path &folder) {
  switch (error) {
  case EACCES:
  case EPERM:
    return fmt::format("no permission to write in the folder \"{}\"; choose another place", folder.string());
  case EROFS:
    return fmt::format("the folder \"{}\" is on a read-only file system; choose another place", folder.string());
  case ENOSPC:
  case EDQUOT:
    return fmt::format("no space is left in \"{}\"; free some or choose another place", folder.string());
  case ENAMETOOLONG:
    return "the name is too long; choose a shorter one";
  default:
    return fmt::format("nothing can be written in \"{}\" ({}); choose another place", folder.string(),
                       std::generic_category().message(error));
  }
}

/// A file that is removed unless it was published.
class PartialFile {
public:
  explicit PartialFile(fs::path path) : m_path(std::move(path)) {}
  PartialFile(const PartialFile &) = delete;
  PartialFile &operator=(const PartialFile &) = delete;
  ~PartialFile() {
    std::error_code ignored;
    if (!m_path.empty()) {
      fs::remove(m_path, ignored);
      fs::remove(sideFile(m_path, "-journal"), ignored);
    }
  }
  [[nodiscard]] const fs::path &path() const { return m_path; }
  void keep() { m_path.clear(); }

private:
  fs::path m_path;
};

base::Result<void> checkFolder(const fs::path &path, const fs::path &folder) {
  if (!path.has_filename()) {
    return cannotCreate(path, "that names a folder; add a file name, such as run.jitscope");
  }
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::none) {
    return cannotCreate(path, explain(error.value(), folder));
  }
  if (!fs::exists(status)) {
    return cannotCreate(path, fmt::format("the folder \"{}\" does not exist; create it or choose another place", folder.string()));
  }
  if (!fs::is_directory(status)) {
    return cannotCreate(path, fmt::format("\"{}\" is not a folder", folder.string()));
  }
  return {};
}

/// Only a session that nobody writes any more may be replaced.
base::Result<void> checkReplaceable(const fs::path &path) {
  const auto refuse = [&](std::string_view why) { return cannotCreate(path, why, base::ErrorCode::StorageExists); };
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    return refuse("something that is not a regular file has that name, and is not replaced; choose another name");
  }
  base::Result<Database> database = Database::open(path, Database::Access::ReadOnly);
  if (!database) {
    return refuse("a file with that name exists and cannot be read, so it is not replaced; choose another name");
  }
  constexpr std::string_view kNoSession =
      "a file with that name exists and is not a Jitscope session, so it is not replaced; choose "
      "another name";
  const base::Result<FileHeader> header = readHeader(*database);
  if (!header || (header->kind != FileKind::Session && header->kind != FileKind::Newer && header->kind != FileKind::Older)) {
    return refuse(kNoSession);
  }
  if (header->kind != FileKind::Session) {
    return {};
  }
  if (!checkPlace(path) || !database->distrust() || !checkSchema(*database)) {
    return refuse(kNoSession);
  }
  base::Result<Statement> writer =
      database->prepare("SELECT writer_pid, writer_start_ticks, writer_boot_id FROM session WHERE status = 'running'");
  if (writer && writer->step().value_or(false)) {
    const ProcessIdentity identity{writer->integer(0), writer->unsignedInteger(1), std::string(writer->text(2))};
    if (identity.isAlive()) {
      return refuse(fmt::format("process {} is recording into it; choose another name", identity.pid));
    }
  }
  return {};
}

base::Result<void> checkTarget(const fs::path &path, bool overwrite) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status)) {
    return {};
  }
  if (fs::is_directory(path, error)) {
    return cannotCreate(path, "a folder has that name; choose another name", base::ErrorCode::StorageExists);
  }
  if (!overwrite) {
    return cannotCreate(path, "it exists already; choose another name, or remove it first", base::ErrorCode::StorageExists);
  }
  return checkReplaceable(path);
}

base::Result<void> insertSessionRow(Database &database, const SessionInfo &info) {
  JITSCOPE_TRY(Statement insert, database.prepare(insertSql<SessionRecord>()));
  SessionRecord record;
  record.info = info;
  record.writer = ProcessIdentity::current();
  bindRow(insert, record);
  return insert.run();
}

base::Result<void> fill(const fs::path &path, const SessionInfo &info) {
  JITSCOPE_TRY(Database database, Database::open(path, Database::Access::ReadWrite));
  // Nothing is lost with this file should the power fail: it is made again.
  if (base::Result<void> made = database.execute(fmt::format("PRAGMA synchronous=OFF; {}", schemaSql())); !made) {
    return made;
  }
  return insertSessionRow(database, info);
}

/// Gives `partial` its name. Without `overwrite`, fails with EEXIST rather than replace what came there meanwhile.
int publish(const fs::path &partial, const fs::path &path, bool overwrite) {
  // A session that was deleted may have left these; SQLite would take them for ours.
  for (const char *suffix : {"-wal", "-shm", "-journal"}) {
    std::error_code ignored;
    fs::remove(sideFile(path, suffix), ignored);
  }
  if (overwrite) {
    return std::rename(partial.c_str(), path.c_str()) == 0 ? 0 : errno;
  }
  if (renameat2(AT_FDCWD, partial.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) {
    return 0;
  }
  if (errno != EINVAL && errno != ENOSYS) {
    return errno;
  }
  // A file system without that flag: a second name for the file cannot replace anything either.
  if (link(partial.c_str(), path.c_str()) != 0) {
    return errno;
  }
  unlink(partial.c_str());
  return 0;
}

std::uint32_t bigEndian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes) {
    value = value << 8U | static_cast<unsigned char>(byte);
  }
  return value;
}

} // namespace

fs::path sideFile(const fs::path &path, const char *suffix) {
  fs::path result = path;
  result += suffix;
  return result;
}

base::Result<void> createSessionFile(const fs::path &path, const SessionInfo &info, bool overwrite) {
  if (path.empty()) {
    return base::fail(base::ErrorCode::StorageOpen, "cannot create a session without a name; give a file name");
  }
  const fs::path folder = folderOf(path);
  if (base::Result<void> usable = checkFolder(path, folder); !usable) {
    return usable;
  }
  if (base::Result<void> usable = checkTarget(path, overwrite); !usable) {
    return usable;
  }
  PartialFile partial(folder / fmt::format(".{}.partial", makeUuid()));
  const int descriptor = ::open(partial.path().c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    return cannotCreate(path, explain(errno, folder));
  }
  ::close(descriptor);
  if (const base::Result<void> filled = fill(partial.path(), info); !filled) {
    return cannotCreate(path, filled.error().message, filled.error().code);
  }
  if (const int error = publish(partial.path(), path, overwrite); error != 0) {
    if (error == EEXIST) {
      return cannotCreate(path, "it exists already; choose another name, or remove it first", base::ErrorCode::StorageExists);
    }
    return cannotCreate(path, explain(error, folder));
  }
  partial.keep();
  return {};
}

base::Result<FileHeader> readHeader(Database &database) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  constexpr int kHeaderBytes = 100;
  JITSCOPE_TRY(const std::string head, database.head(kHeaderBytes));
  const std::string_view bytes = head;
  FileHeader header;
  if (bytes.empty()) {
    header.kind = FileKind::Empty;
  } else if (!bytes.starts_with(kMagic)) {
    header.kind = FileKind::NotSqlite;
  } else if (bytes.size() < kHeaderBytes) {
    header.kind = FileKind::Truncated;
  } else {
    const std::uint32_t pageSize = bigEndian(bytes.substr(16, 2));
    header.pageSize = pageSize == 1 ? 65536 : pageSize;
    header.isPlain = bytes[18] == 1 && bytes[19] == 1;
    header.pageCount = bigEndian(bytes.substr(28, 4));
    header.version = static_cast<std::int32_t>(bigEndian(bytes.substr(60, 4)));
    if (bigEndian(bytes.substr(68, 4)) != static_cast<std::uint32_t>(kApplicationId)) {
      header.kind = FileKind::ForeignSqlite;
    } else {
      header.kind = header.version > kSchemaVersion   ? FileKind::Newer
                    : header.version < kSchemaVersion ? FileKind::Older
                                                      : FileKind::Session;
    }
  }
  return header;
}

base::Result<bool> makePlainFile(Database &database, bool stepwise, int tries) {
  JITSCOPE_TRY_VOID(database.execute(stepwise ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=OFF"));
  // TRUNCATE moves every page into the file even where a reader keeps the next step from succeeding.
  JITSCOPE_TRY_VOID(database.execute("PRAGMA wal_checkpoint(TRUNCATE)"));
  // Leaving WAL mode needs the file alone. SQLite does not wait for that, so wait here for a reader that is about to go.
  constexpr std::chrono::milliseconds kPause{20};
  for (int attempt = 0; attempt < tries; ++attempt) {
    const base::Result<std::optional<std::string>> mode = database.queryText("PRAGMA journal_mode=DELETE");
    if (mode && mode->value_or("") == "delete") {
      return true;
    }
    if (!mode && mode.error().code != base::ErrorCode::StorageOpen) {
      return std::unexpected(mode.error());
    }
    if (attempt + 1 < tries) {
      std::this_thread::sleep_for(kPause);
    }
  }
  return false;
}

base::Result<void> syncToDisk(Database &database, const fs::path &path) {
  if (base::Result<void> synced = database.sync(); !synced) {
    return synced;
  }
  // A name is the folder's. Where a folder cannot be synced, the system does that in its own time.
  const int folder = ::open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    std::ignore = ::fsync(folder);
    ::close(folder);
  }
  return {};
}

bool isDatabaseFile(const std::filesystem::path &path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) {
    return false;
  }
  std::string head(kMagic.size(), ' ');
  std::ifstream stream(path, std::ios::binary);
  return stream.read(head.data(), static_cast<std::streamsize>(head.size())) && head == kMagic;
}

} // namespace jitscope::session
