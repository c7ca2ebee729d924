// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/replay/stack_distances.h"

#include <algorithm>

namespace jitscope::analysis {

namespace {

constexpr std::size_t kSmallestTree = 1024;

} // namespace

std::optional<StackDistances::Distance> StackDistances::access(std::size_t key, std::uint64_t bytes) {
  if (key >= m_entries.size()) {
    m_entries.resize(key + 1);
  }
  Entry &entry = m_entries[key];
  std::optional<Distance> distance;
  if (entry.slot != 0) {
    if (entry.slot + 1 == m_keys.size() && entry.bytes == bytes) {
      return Distance{1, bytes}; // the latest access: nothing moves
    }
    const Distance before = sumUpTo(entry.slot);
    distance = Distance{m_live - before.entries + 1, m_liveBytes - before.bytes + bytes};
    add(entry.slot, -1, -static_cast<std::int64_t>(entry.bytes));
    m_liveBytes -= entry.bytes;
    --m_live;
    m_keys[entry.slot] = m_entries.size(); // nobody's
    entry.slot = 0;
  }
  if (m_keys.size() == m_tree.size()) {
    compact();
  }
  entry.slot = m_keys.size();
  entry.bytes = bytes;
  m_keys.push_back(key);
  add(entry.slot, 1, static_cast<std::int64_t>(bytes));
  ++m_live;
  m_liveBytes += bytes;
  return distance;
}

void StackDistances::compact() {
  std::vector<std::size_t> live;
  live.reserve(m_live);
  for (std::size_t slot = 1; slot < m_keys.size(); ++slot) {
    const std::size_t key = m_keys[slot];
    if (key < m_entries.size() && m_entries[key].slot == slot) {
      live.push_back(key);
    }
  }
  // Twice as many slots as entries, so that compacting costs an access a constant.
  m_tree.assign(1 + std::max(kSmallestTree, 2 * live.size()), {});
  m_keys.assign(1, 0);
  for (const std::size_t key : live) {
    m_entries[key].slot = m_keys.size();
    m_keys.push_back(key);
    add(m_entries[key].slot, 1, static_cast<std::int64_t>(m_entries[key].bytes));
  }
}

void StackDistances::add(std::size_t slot, std::int64_t entries, std::int64_t bytes) {
  for (; slot < m_tree.size(); slot += slot & (~slot + 1)) {
    m_tree[slot].entries += entries;
    m_tree[slot].bytes += bytes;
  }
}

StackDistances::Distance StackDistances::sumUpTo(std::size_t slot) const {
  Node sum;
  for (; slot > 0; slot -= slot & (~slot + 1)) {
    sum.entries += m_tree[slot].entries;
    sum.bytes += m_tree[slot].bytes;
  }
  return {static_cast<std::uint64_t>(sum.entries), static_cast<std::uint64_t>(sum.bytes)};
}

} // namespace jitscope::analysis
