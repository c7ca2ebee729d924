// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/hash.h"
#include "pipeline/object_code.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jitscope::jit {

/// What an entry on disk is found by. `code` stands for everything that decides what the code does (graph, options); `target` for
/// everything that decides where it runs (LLVM version, triple, CPU, features), spelled out for messages.
struct DiskKey {
  base::Hash128 code;
  std::string target;
};

/// Machine code of one executable on disk.
struct DiskEntry {
  std::string entrySymbol;
  std::vector<pipeline::ObjectCode> objects;
};

/// Why the disk did not serve.
enum class DiskProblem : std::uint8_t { Absent, Corrupt, OtherTarget };

struct DiskLookup {
  std::optional<DiskEntry> entry;
  DiskProblem problem = DiskProblem::Absent;
  std::string detail; ///< in words, e.g. "checksum differs in <file>", "cpu: znver4 -> x86-64"
};

struct DiskCacheStatistics {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  std::uint64_t foreignFiles = 0; ///< files in the folder that are not entries; never touched
};

/// Object code kept between processes. Entries are written to a temporary name and renamed, so that readers and a second writer
/// never see half of one; each carries a checksum over all of it. The folder is the user's alone (mode 0700). Members may be called
/// from any thread and from several processes at once.
class DiskCache {
public:
  /// `$XDG_CACHE_HOME/jitscope/objects`, or under `~/.cache`. StorageOpen where neither is set.
  static base::Result<std::filesystem::path> defaultFolder();

  explicit DiskCache(std::filesystem::path folder);
  [[nodiscard]] const std::filesystem::path &folder() const { return m_folder; }

  /// Never an error: what cannot be read is reported as a problem and compiled anew.
  [[nodiscard]] DiskLookup load(const DiskKey &key) const;
  /// StorageWrite or StorageOpen when the folder or the file cannot be written; nothing half-written stays.
  [[nodiscard]] base::Result<void> store(const DiskKey &key, const DiskEntry &entry) const;

  [[nodiscard]] base::Result<DiskCacheStatistics> statistics() const;
  /// Removes every entry and leftover temporary file; other files stay. Returns what was removed.
  [[nodiscard]] base::Result<DiskCacheStatistics> clear() const;

private:
  [[nodiscard]] std::filesystem::path pathOf(const DiskKey &key) const;
  std::filesystem::path m_folder;
};

} // namespace jitscope::jit
