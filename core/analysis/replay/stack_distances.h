// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace jitscope::analysis {

/// How much a cache that evicts the least recently used entry must hold for each access to be a hit, in one pass over the accesses
/// (Mattson, Gecsei, Slutz and Traiger, "Evaluation techniques for storage hierarchies", 1970). The answer serves every capacity at
/// once. Distances are sums over a Fenwick tree of last accesses, which is compacted when it is full: an access takes the logarithm
/// of the number of keys, and memory grows with the keys only.
class StackDistances {
public:
  /// An entry and all that was accessed since its last access.
  struct Distance {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
  };

  /// Accesses the entry `key`, counted from 0, of this size: what the cache must hold for this to be a hit; empty for the first
  /// access. An entry's size is that of its latest access.
  std::optional<Distance> access(std::size_t key, std::uint64_t bytes = 0);

private:
  void compact();
  void add(std::size_t slot, std::int64_t entries, std::int64_t bytes);
  [[nodiscard]] Distance sumUpTo(std::size_t slot) const;

  struct Node {
    std::int64_t entries = 0;
    std::int64_t bytes = 0;
  };
  struct Entry {
    std::size_t slot = 0; ///< from 1 in the order of accesses; 0: not in the stack
    std::uint64_t bytes = 0;
  };
  std::vector<Node> m_tree = std::vector<Node>(1);               ///< counts from 1
  std::vector<Entry> m_entries;                                  ///< by key
  std::vector<std::size_t> m_keys = std::vector<std::size_t>(1); ///< by slot; of slots whose entry moved on, stale
  std::size_t m_live = 0;
  std::uint64_t m_liveBytes = 0;
};

} // namespace jitscope::analysis
