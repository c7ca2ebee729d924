// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "jit/disk_key.h"
#include "pipeline/object_code.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jitscope::jit {

/// Machine code of one executable on disk.
struct DiskEntry {
  std::string entrySymbol;
  std::vector<pipeline::ObjectCode> objects;
};

/// Why the disk cache has no entry to use.
enum class DiskProblem : std::uint8_t {
  Absent,       ///< it has nothing of this graph
  Corrupt,      ///< the entry's file is damaged, or its key does not match its name
  OtherOptions, ///< it has this graph under other options
  OtherTarget   ///< it has this graph for another CPU or version
};

struct DiskLookup {
  std::optional<DiskEntry> entry;
  DiskProblem problem = DiskProblem::Absent;
  std::string detail; ///< e.g. "<file>: its checksum differs from its content", or `KeyDifference::text` of the nearest entry
};

struct DiskCacheStatistics {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  std::uint64_t foreignFiles = 0; ///< files in the folder that are not entries; never touched
};

/// Object code kept between processes. An entry's name begins with the hash of its graph, so that entries of one graph under other
/// options or for another target are found beside each other. Entries are written to a temporary name and renamed, so that readers
/// and a second writer never see half of one; each carries a checksum over all of it. The folder is the user's alone (mode 0700).
/// Members may be called from any thread and from several processes at once.
class DiskCache {
public:
  /// `$XDG_CACHE_HOME/jitscope/objects`, or under `~/.cache`. StorageOpen where neither is set.
  static base::Result<std::filesystem::path> defaultFolder();

  explicit DiskCache(std::filesystem::path folder);
  [[nodiscard]] const std::filesystem::path &folder() const { return m_folder; }

  /// Never an error: an entry that cannot be read is reported as a problem and compiled again. Without an entry of this key,
  /// `detail` compares it with the nearest of the same graph: the one with the fewest fields that differ, of equally near ones one
  /// of the same target, then the latest. At most 64 entries of the graph are compared, and damaged ones are not.
  [[nodiscard]] DiskLookup load(const DiskKey &key) const;
  /// StorageWrite or StorageOpen when the folder or the file cannot be written; nothing half-written stays.
  [[nodiscard]] base::Result<void> store(const DiskKey &key, const DiskEntry &entry) const;

  [[nodiscard]] base::Result<DiskCacheStatistics> statistics() const;
  /// Removes every entry and leftover temporary file; other files stay. Returns what was removed.
  [[nodiscard]] base::Result<DiskCacheStatistics> clear() const;

private:
  [[nodiscard]] std::filesystem::path pathOf(const DiskKey &key) const;
  [[nodiscard]] DiskLookup compareWithNearest(const DiskKey &key, const std::filesystem::path &path) const;
  std::filesystem::path m_folder;
};

} // namespace jitscope::jit
