// SPDX-License-Identifier: GPL-3.0-or-later
#include "jit/disk_cache.h"
#include "jit/disk_entry.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::jit {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

constexpr std::string_view kSuffix = ".jso";
constexpr std::string_view kTemporaryMark = ".tmp-";
constexpr mode_t kPrivateFolder = 0700;

std::string reasonOf(int error) { return std::strerror(error); }

/// An open file that closes itself.
class File {
public:
  explicit File(int descriptor) : m_descriptor(descriptor) {}
  ~File() {
    if (m_descriptor >= 0) {
      ::close(m_descriptor);
    }
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  [[nodiscard]] bool isOpen() const { return m_descriptor >= 0; }
  [[nodiscard]] int descriptor() const { return m_descriptor; }

private:
  int m_descriptor;
};

std::optional<std::vector<std::byte>> readAll(const fs::path &path) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat status{};
  // An entry that someone else owns might be a trap: it would be run.
  if (!file.isOpen() || ::fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) {
    return std::nullopt;
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::read(file.descriptor(), bytes.data() + done, bytes.size() - done);
    if (count <= 0) {
      return std::nullopt;
    }
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

bool writeAll(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

/// The lines of `wanted` that `known` has otherwise, e.g. "cpu: znver4 -> x86-64". Both are "name: value" lines.
std::string targetDifference(std::string_view known, std::string_view wanted) {
  std::string text;
  while (!wanted.empty()) {
    const auto nextLine = [](std::string_view &rest) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      return line;
    };
    const std::string_view knownLine = nextLine(known);
    const std::string_view wantedLine = nextLine(wanted);
    if (knownLine != wantedLine) {
      const std::size_t value = std::min(wantedLine.find(": "), wantedLine.size());
      const std::string_view newValue = wantedLine.substr(std::min(value + 2, wantedLine.size()));
      text += fmt::format("{}{} -> {}", text.empty() ? "" : "; ", knownLine, newValue);
    }
  }
  return text;
}

bool isEntry(const fs::path &path) { return path.extension() == kSuffix; }
bool isTemporary(const fs::path &path) { return path.filename().string().find(kTemporaryMark) != std::string::npos; }

} // namespace

Result<fs::path> DiskCache::defaultFolder() {
  // Read once at start, before any thread could change the environment.
  if (const char *xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg == '/') { // NOLINT(concurrency-mt-unsafe)
    return fs::path(xdg) / "jitscope" / "objects";
  }
  if (const char *home = std::getenv("HOME"); home != nullptr && *home != '\0') { // NOLINT(concurrency-mt-unsafe)
    return fs::path(home) / ".cache" / "jitscope" / "objects";
  }
  return fail(ErrorCode::StorageOpen, "no place for the disk cache: set XDG_CACHE_HOME or HOME");
}

DiskCache::DiskCache(fs::path folder) : m_folder(std::move(folder)) {}

fs::path DiskCache::pathOf(const DiskKey &key) const {
  const std::string code = toHex(key.code);
  return m_folder / code.substr(0, 2) / fmt::format("{}-{}{}", code, toHex(base::hashText(key.target)).substr(0, 16), kSuffix);
}

DiskLookup DiskCache::load(const DiskKey &key) const {
  const fs::path path = pathOf(key);
  if (const std::optional<std::vector<std::byte>> bytes = readAll(path)) {
    DecodeResult result = decodeEntry(*bytes);
    if (!result.decoded) {
      return {std::nullopt, DiskProblem::Corrupt, fmt::format("{}: {}", path.string(), result.problem)};
    }
    if (result.decoded->target != key.target) {
      return {std::nullopt, DiskProblem::OtherTarget, targetDifference(result.decoded->target, key.target)};
    }
    return {std::move(result.decoded->entry), DiskProblem::Absent, ""};
  }
  // The same code for another machine or LLVM lies beside it, told apart by the end of the name.
  const std::string prefix = toHex(key.code) + "-";
  std::error_code error;
  std::vector<fs::path> siblings;
  for (const fs::directory_entry &file : fs::directory_iterator(path.parent_path(), error)) {
    if (isEntry(file.path()) && file.path().filename().string().starts_with(prefix)) {
      siblings.push_back(file.path());
    }
  }
  std::ranges::sort(siblings);
  for (const fs::path &sibling : siblings) {
    if (const std::optional<std::vector<std::byte>> bytes = readAll(sibling)) {
      if (DecodeResult result = decodeEntry(*bytes); result.decoded) {
        return {std::nullopt, DiskProblem::OtherTarget, targetDifference(result.decoded->target, key.target)};
      }
    }
  }
  return {};
}

Result<void> DiskCache::store(const DiskKey &key, const DiskEntry &entry) const {
  const fs::path path = pathOf(key);
  std::error_code error;
  fs::create_directories(m_folder, error);
  if (!error && ::chmod(m_folder.c_str(), kPrivateFolder) == 0) {
    fs::create_directories(path.parent_path(), error);
  }
  if (!fs::is_directory(path.parent_path())) {
    return fail(ErrorCode::StorageOpen,
                fmt::format("the disk cache cannot use {}: {}", m_folder.string(), error ? error.message() : reasonOf(errno)));
  }
  // A name that no other thread or process has, readable by the user alone.
  std::string temporary = path.string() + std::string(kTemporaryMark) + "XXXXXX";
  bool isWritten = false;
  int cause = 0;
  {
    const File file(::mkostemp(temporary.data(), O_CLOEXEC));
    isWritten = file.isOpen() && writeAll(file.descriptor(), encodeEntry(key.target, entry));
    cause = errno;
  }
  if (isWritten && ::rename(temporary.c_str(), path.c_str()) == 0) {
    return {};
  }
  cause = isWritten ? errno : cause;
  ::unlink(temporary.c_str());
  return fail(ErrorCode::StorageWrite, fmt::format("the disk cache could not keep {}: {}", path.string(), reasonOf(cause)));
}

Result<DiskCacheStatistics> DiskCache::statistics() const {
  DiskCacheStatistics result;
  std::error_code error;
  if (!fs::exists(m_folder, error)) {
    return result;
  }
  fs::recursive_directory_iterator files(m_folder, error);
  for (; !error && files != fs::recursive_directory_iterator(); files.increment(error)) {
    std::error_code gone; // another process may remove the file meanwhile
    if (!files->is_regular_file(gone)) {
      continue;
    }
    if (isEntry(files->path())) {
      const std::uintmax_t size = files->file_size(gone);
      result.entries += gone ? 0 : 1;
      result.bytes += gone ? 0 : size;
    } else if (!isTemporary(files->path())) {
      ++result.foreignFiles;
    }
  }
  if (error) {
    return fail(ErrorCode::StorageOpen, fmt::format("the disk cache in {} cannot be read: {}", m_folder.string(), error.message()));
  }
  return result;
}

Result<DiskCacheStatistics> DiskCache::clear() const {
  DiskCacheStatistics removed;
  std::error_code error;
  if (!fs::exists(m_folder, error)) {
    return removed;
  }
  std::vector<fs::path> paths;
  fs::recursive_directory_iterator files(m_folder, error);
  for (; !error && files != fs::recursive_directory_iterator(); files.increment(error)) {
    paths.push_back(files->path());
  }
  for (const fs::path &path : paths) {
    std::error_code gone;
    if (!fs::is_regular_file(path, gone)) {
      continue;
    }
    if (!isEntry(path) && !isTemporary(path)) {
      ++removed.foreignFiles;
      continue;
    }
    const std::uintmax_t size = fs::file_size(path, gone);
    if (!fs::remove(path, error) || error) {
      return fail(ErrorCode::StorageWrite, fmt::format("{} cannot be removed: {}", path.string(), error.message()));
    }
    removed.entries += isEntry(path) ? 1 : 0;
    removed.bytes += gone ? 0 : size;
  }
  return removed;
}

} // namespace jitscope::jit
