// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/hash.h"
#include "graph/template.h"
#include "jit/disk_key.h"
#include "pipeline/object_code.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jitscope::jit {

/// What an entry was compiled for. It plays no part in finding the entry.
struct DiskOrigin {
  base::Hash128 function; ///< `graph::functionHashOf`
  graph::Template tmpl;
};

/// Machine code of one executable on disk.
struct DiskEntry {
  std::string entrySymbol;
  std::vector<pipeline::ObjectCode> objects;
  DiskOrigin origin = {};
};

/// An entry without its code.
struct DiskSummary {
  DiskKey key;
  DiskOrigin origin;
};

/// Why the disk cache has no entry to use.
enum class DiskProblem : std::uint8_t {
  Absent,       ///< it has nothing of this graph
  Corrupt,      ///< the file of the entry cannot be used: `detail` says why
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
/// options or for another target are found beside each other. For each function there is a list of the names of its entries.
/// Entries are written to a temporary name and renamed, so that readers and a second writer never see half of one; each carries a
/// checksum over all of it. The folder is the user's alone (mode 0700). Members may be called from any thread and from several
/// processes at once.
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
  /// The entries that were stored for a function, latest first; at most 64 are looked at, and damaged ones are left out.
  [[nodiscard]] std::vector<DiskSummary> entriesOf(const base::Hash128 &function) const;
  /// StorageWrite or StorageOpen when the folder or the file cannot be written; nothing half-written stays.
  [[nodiscard]] base::Result<void> store(const DiskKey &key, const DiskEntry &entry) const;

  [[nodiscard]] base::Result<DiskCacheStatistics> statistics() const;
  /// Removes every entry and leftover temporary file; other files stay. Returns what was removed.
  [[nodiscard]] base::Result<DiskCacheStatistics> clear() const;

private:
  [[nodiscard]] std::filesystem::path pathOf(const DiskKey &key) const;
  [[nodiscard]] std::filesystem::path listOf(const base::Hash128 &function) const;
  [[nodiscard]] DiskLookup compareWithNearest(const DiskKey &key, const std::filesystem::path &path) const;
  /// Notes an entry of a function. Where that fails a later miss knows less.
  void enlist(const base::Hash128 &function, const std::filesystem::path &entry) const;
  std::filesystem::path m_folder;
};

} // namespace jitscope::jit
