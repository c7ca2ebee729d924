// SPDX-License-Identifier: GPL-3.0-or-later
#include "jit/disk_cache.h"
#include "jit/disk_entry.h"
#include "jit/private_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>
#include <tuple>

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
constexpr std::string_view kLists = "functions";
constexpr std::string_view kListSuffix = ".list";
/// A list that is longer begins anew; it names some twenty thousand entries then.
constexpr std::uint64_t kMaxListBytes = std::uint64_t{1024} * 1024;
constexpr std::string_view kTemporaryMark = ".tmp-";
constexpr mode_t kPrivateFolder = 0700;
/// How many entries of a graph, or of a function, a miss is compared with: more than anyone has options to try.
constexpr std::size_t kMaxCompared = 64;

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

/// More than any function compiles to; what is larger is not read.
constexpr std::uint64_t kMaxEntryBytes = std::uint64_t{256} * 1024 * 1024;

/// What was read of a file.
struct Content {
  std::vector<std::byte> bytes;
  std::int64_t writtenNs = 0; ///< when it was last written, since 1970
};

/// The first `reach` bytes of a file, or all of it. An entry that someone else wrote might be a trap: it would be run.
std::optional<Content> read(const fs::path &path, std::string &problem,
                            std::uint64_t reach = std::numeric_limits<std::uint64_t>::max()) {
  const PrivateFile file(path, kMaxEntryBytes);
  if (!file.isOpen()) {
    problem = file.problem();
    return std::nullopt;
  }
  const struct stat &status = file.status();
  Content content;
  content.bytes.resize(std::min(static_cast<std::uint64_t>(status.st_size), reach));
  content.writtenNs = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  std::size_t done = 0;
  while (done < content.bytes.size()) {
    const ssize_t count = ::read(file.descriptor(), content.bytes.data() + done, content.bytes.size() - done);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      problem = "it cannot be read";
      return std::nullopt;
    }
    done += static_cast<std::size_t>(count);
  }
  return content;
}

/// The name of an entry in a list, without the suffix: the graph's hash and a part of the key's.
bool isEntryName(std::string_view name) {
  constexpr std::size_t kGraphDigits = 32;
  constexpr std::size_t kDigits = kGraphDigits + 1 + 16;
  const auto isDigit = [](char letter) { return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f'); };
  return name.size() == kDigits && name[kGraphDigits] == '-' && std::ranges::all_of(name.substr(0, kGraphDigits), isDigit) &&
         std::ranges::all_of(name.substr(kGraphDigits + 1), isDigit);
}

/// The names in a list, latest first, each once.
std::vector<std::string_view> namesIn(std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty() && names.size() < kMaxCompared) {
    list = list.substr(0, list.find_last_not_of('\n') + 1);
    const std::size_t begin = list.rfind('\n') + 1; // 0 where there is none
    const std::string_view name = list.substr(begin);
    if (isEntryName(name) && std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
    list = list.substr(0, begin);
  }
  return names;
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

bool isEntry(const fs::path &path) { return path.extension() == kSuffix; }
bool isList(const fs::path &path) { return path.extension() == kListSuffix && path.parent_path().filename() == kLists; }
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
  const std::string graph = toHex(key.graph);
  return m_folder / graph.substr(0, 2) / fmt::format("{}-{}{}", graph, toHex(hashOf(key)).substr(0, 16), kSuffix);
}

fs::path DiskCache::listOf(const base::Hash128 &function) const {
  return m_folder / kLists / fmt::format("{}{}", toHex(function), kListSuffix);
}

std::vector<DiskSummary> DiskCache::entriesOf(const base::Hash128 &function) const {
  std::string unread;
  const std::optional<Content> list =
      whyNotPrivate(m_folder).empty() ? read(listOf(function), unread, kMaxListBytes) : std::nullopt;
  std::vector<DiskSummary> entries;
  if (!list) {
    return entries;
  }
  for (const std::string_view name : namesIn({reinterpret_cast<const char *>(list->bytes.data()), list->bytes.size()})) {
    const fs::path path = m_folder / name.substr(0, 2) / fmt::format("{}{}", name, kSuffix);
    const std::optional<Content> content = read(path, unread, kKeyReach);
    std::optional<DiskSummary> summary = content ? decodeSummary(content->bytes) : std::nullopt;
    if (summary && summary->origin.function == function) {
      entries.push_back(std::move(*summary));
    }
  }
  return entries;
}

void DiskCache::enlist(const base::Hash128 &function, const fs::path &entry) const {
  const fs::path list = listOf(function);
  std::error_code error;
  fs::create_directories(list.parent_path(), error);
  if (const std::uintmax_t size = fs::file_size(list, error); !error && size > kMaxListBytes) {
    ::unlink(list.c_str());
  }
  const std::string line = entry.stem().string() + '\n';
  // One write of a few bytes, which others' do not mix with.
  const File file(::open(list.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file.isOpen()) {
    writeAll(file.descriptor(), std::as_bytes(std::span(line)));
  }
}

DiskLookup DiskCache::load(const DiskKey &key) const {
  const fs::path path = pathOf(key);
  if (const std::string why = whyNotPrivate(m_folder); !why.empty()) {
    return {std::nullopt, DiskProblem::Corrupt, fmt::format("{}: {}", m_folder.string(), why)};
  }
  std::string problem;
  const std::optional<Content> content = read(path, problem);
  if (!content && !problem.empty()) {
    return {std::nullopt, DiskProblem::Corrupt, fmt::format("{}: {}", path.string(), problem)};
  }
  if (!content) {
    return compareWithNearest(key, path);
  }
  DecodeResult result = decodeEntry(content->bytes);
  if (result.decoded && result.decoded->key != key) {
    result = {std::nullopt, "its key does not match its file name"};
  }
  if (!result.decoded) {
    return {std::nullopt, DiskProblem::Corrupt, fmt::format("{}: {}", path.string(), result.problem)};
  }
  return {std::move(result.decoded->entry), DiskProblem::Absent, ""};
}

DiskLookup DiskCache::compareWithNearest(const DiskKey &key, const fs::path &path) const {
  const std::string prefix = toHex(key.graph) + "-";
  std::error_code error;
  std::vector<fs::path> siblings;
  for (const fs::directory_entry &file : fs::directory_iterator(path.parent_path(), error)) {
    if (isEntry(file.path()) && file.path().filename().string().starts_with(prefix)) {
      siblings.push_back(file.path());
    }
  }
  std::ranges::sort(siblings);
  siblings.resize(std::min(siblings.size(), kMaxCompared));

  struct Candidate {
    KeyDifference difference;
    std::int64_t writtenNs = 0;
  };
  std::optional<Candidate> nearest;
  const auto rank = [](const Candidate &candidate) {
    return std::tuple(candidate.difference.fields, candidate.difference.isOtherTarget, -candidate.writtenNs);
  };
  for (const fs::path &sibling : siblings) {
    std::string unread;
    const std::optional<Content> content = read(sibling, unread, kKeyReach);
    const std::optional<DiskSummary> known = content ? decodeSummary(content->bytes) : std::nullopt;
    if (!known || known->key.graph != key.graph) {
      continue;
    }
    Candidate candidate{differenceBetween(known->key, key), content->writtenNs};
    if (candidate.difference.fields > 0 && (!nearest || rank(candidate) < rank(*nearest))) {
      nearest = std::move(candidate);
    }
  }
  if (!nearest) {
    return {};
  }
  return {std::nullopt, nearest->difference.isOtherTarget ? DiskProblem::OtherTarget : DiskProblem::OtherOptions,
          std::move(nearest->difference.text)};
}

Result<void> DiskCache::store(const DiskKey &key, const DiskEntry &entry) const {
  const fs::path path = pathOf(key);
  std::error_code error;
  fs::create_directories(m_folder, error);
  if (std::error_code unknown; !error && !fs::is_symlink(m_folder, unknown) && ::chmod(m_folder.c_str(), kPrivateFolder) == 0) {
    fs::create_directories(path.parent_path(), error);
  }
  if (!fs::is_directory(path.parent_path())) {
    const std::string why = error ? error.message() : whyNotPrivate(m_folder);
    return fail(ErrorCode::StorageOpen,
                fmt::format("the disk cache cannot use {}: {}", m_folder.string(), why.empty() ? reasonOf(errno) : why));
  }
  if (const std::string why = whyNotPrivate(m_folder); !why.empty()) {
    return fail(ErrorCode::StorageOpen,
                fmt::format("the disk cache does not use {}: {}; remove it, or set XDG_CACHE_HOME to another folder",
                            m_folder.string(), why));
  }
  // A name that no other thread or process has, readable by the user alone.
  std::string temporary = path.string() + std::string(kTemporaryMark) + "XXXXXX";
  bool isWritten = false;
  int cause = 0;
  {
    const File file(::mkostemp(temporary.data(), O_CLOEXEC));
    isWritten = file.isOpen() && writeAll(file.descriptor(), encodeEntry(key, entry));
    cause = errno;
  }
  if (isWritten && ::rename(temporary.c_str(), path.c_str()) == 0) {
    enlist(entry.origin.function, path);
    return {};
  }
  cause = isWritten ? errno : cause;
  ::unlink(temporary.c_str());
  return fail(ErrorCode::StorageWrite, fmt::format("the disk cache cannot store {}: {}", path.string(), reasonOf(cause)));
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
    } else if (!isTemporary(files->path()) && !isList(files->path())) {
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
  if (fs::is_symlink(m_folder, error)) {
    return fail(
        ErrorCode::StorageOpen,
        fmt::format("{} is a link, and the disk cache does not remove what it leads to; remove the link", m_folder.string()));
  }
  std::vector<fs::path> paths;
  fs::recursive_directory_iterator files(m_folder, error);
  for (; !error && files != fs::recursive_directory_iterator(); files.increment(error)) {
    paths.push_back(files->path());
  }
  for (const fs::path &path : paths) {
    std::error_code gone;
    if (!fs::is_regular_file(fs::symlink_status(path, gone))) {
      continue;
    }
    if (!isEntry(path) && !isTemporary(path) && !isList(path)) {
      ++removed.foreignFiles;
      continue;
    }
    const std::uintmax_t size = fs::file_size(path, gone);
    if (!fs::remove(path, error) || error) {
      return fail(ErrorCode::StorageWrite, fmt::format("{} cannot be removed: {}", path.string(), error.message()));
    }
    removed.entries += isEntry(path) ? 1 : 0;
    removed.bytes += gone || isList(path) ? 0 : size;
  }
  return removed;
}

} // namespace jitscope::jit
