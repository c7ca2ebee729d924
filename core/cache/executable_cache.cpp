// SPDX-License-Identifier: GPL-3.0-or-later
#include "cache/executable_cache.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <unordered_map>

#include <llvm/ADT/DenseMap.h>

namespace llvm {
/// The key is a good hash already: any of its words serves. Two values that XXH3 gives to nothing in practice are set aside.
template <> struct DenseMapInfo<jitscope::base::Hash128> {
  static jitscope::base::Hash128 getEmptyKey() { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
  static jitscope::base::Hash128 getTombstoneKey() { return {~std::uint64_t{0}, ~std::uint64_t{0} - 1}; }
  static unsigned getHashValue(const jitscope::base::Hash128 &hash) { return static_cast<unsigned>(hash.low); }
  static bool isEqual(const jitscope::base::Hash128 &left, const jitscope::base::Hash128 &right) { return left == right; }
};
} // namespace llvm

namespace jitscope::cache {

class ExecutableCache::Flight {
public:
  void finish(std::shared_ptr<const Entry> entry) {
    {
      const std::lock_guard lock(m_mutex);
      m_isDone = true;
      m_entry = std::move(entry);
    }
    m_done.notify_all();
  }

  std::shared_ptr<const Entry> wait() {
    std::unique_lock lock(m_mutex);
    m_done.wait(lock, [this] { return m_isDone; });
    return m_entry;
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_done;
  bool m_isDone = false;
  std::shared_ptr<const Entry> m_entry;
};

struct ExecutableCache::State {
  /// Everything a hit touches lies in the table itself. The time of last use makes a hit one store; eviction sorts entries by it.
  struct Slot {
    std::shared_ptr<const Entry> entry;
    std::uint64_t lastUseNs = 0;
  };

  mutable std::mutex mutex;
  CacheOptions options;
  llvm::DenseMap<base::Hash128, Slot> slots;
  llvm::DenseMap<base::Hash128, std::shared_ptr<Flight>> flights;
  std::unordered_map<const Executable *, std::uint32_t> entriesOfCode;
  std::uint64_t codeBytes = 0;

  /// An entry's time of last use when it was last looked at; earliest first, equal times told apart by the key.
  struct Use {
    std::uint64_t ns = 0;
    base::Hash128 key;
    friend auto operator<=>(const Use &, const Use &) = default;
  };
  /// Every entry while there is a bound, none without one. Hits leave it alone: a time that has passed is put right when its turn
  /// comes, so that each eviction takes the logarithm of the number of entries.
  std::priority_queue<Use, std::vector<Use>, std::greater<>> uses;

  [[nodiscard]] bool isBounded() const { return options.capacityEntries || options.capacityBytes; }

  void add(const base::Hash128 &key, std::shared_ptr<const Entry> entry, std::uint64_t nowNs) {
    if (++entriesOfCode[entry->executable.get()] == 1) {
      codeBytes += entry->executable->codeBytes();
    }
    slots[key] = {std::move(entry), nowNs};
    if (isBounded()) {
      uses.push({nowNs, key});
    }
  }

  void useOptions(const CacheOptions &fresh) {
    options = fresh;
    uses = {};
    if (isBounded()) {
      for (const auto &[key, slot] : slots) {
        uses.push({slot.lastUseNs, key});
      }
    }
  }

  Eviction remove(const base::Hash128 &key, event::EvictionReason reason) {
    const auto slot = slots.find(key);
    const std::shared_ptr<const Entry> entry = std::move(slot->second.entry);
    slots.erase(slot);
    std::uint64_t freed = 0;
    if (const auto users = entriesOfCode.find(entry->executable.get()); --users->second == 0) {
      entriesOfCode.erase(users);
      freed = entry->executable->codeBytes();
      codeBytes -= freed;
    }
    return {entry->templateId, entry->options, reason, freed};
  }

  /// Takes the key used longest ago, `spared` aside, out of `uses`.
  std::optional<base::Hash128> takeOldest(const std::optional<base::Hash128> &spared) {
    std::optional<Use> aside;
    std::optional<base::Hash128> found;
    while (!found && !uses.empty()) {
      const Use use = uses.top();
      uses.pop();
      const auto slot = slots.find(use.key);
      if (slot == slots.end()) {
        continue;
      }
      if (slot->second.lastUseNs != use.ns) {
        uses.push({slot->second.lastUseNs, use.key});
      } else if (use.key == spared) {
        aside = use;
      } else {
        found = use.key;
      }
    }
    if (aside) {
      uses.push(*aside);
    }
    return found;
  }

  std::vector<Eviction> shrink(const std::optional<base::Hash128> &spared) {
    std::vector<Eviction> evictions;
    while (true) {
      const bool tooMany = options.capacityEntries && slots.size() > *options.capacityEntries;
      const bool tooLarge = options.capacityBytes && codeBytes > *options.capacityBytes;
      if (!tooMany && !tooLarge) {
        return evictions;
      }
      const std::optional<base::Hash128> victim = takeOldest(spared);
      if (!victim) {
        return evictions;
      }
      evictions.push_back(remove(*victim, tooMany ? event::EvictionReason::Entries : event::EvictionReason::Bytes));
    }
  }
};

ExecutableCache::ExecutableCache(CacheOptions options) : m_state(std::make_unique<State>()) { m_state->options = options; }
ExecutableCache::~ExecutableCache() = default;

std::shared_ptr<const Entry> ExecutableCache::find(const base::Hash128 &key, std::uint64_t nowNs) {
  const std::lock_guard lock(m_state->mutex);
  const auto slot = m_state->slots.find(key);
  if (slot == m_state->slots.end()) {
    return nullptr;
  }
  slot->second.lastUseNs = nowNs;
  return slot->second.entry;
}

ExecutableCache::Lookup ExecutableCache::acquire(const base::Hash128 &key, std::uint64_t nowNs) {
  const std::lock_guard lock(m_state->mutex);
  if (const auto slot = m_state->slots.find(key); slot != m_state->slots.end()) {
    slot->second.lastUseNs = nowNs;
    return {slot->second.entry, nullptr, false};
  }
  std::shared_ptr<Flight> &flight = m_state->flights[key];
  if (flight) {
    return {nullptr, flight, false};
  }
  flight = std::make_shared<Flight>();
  return {nullptr, flight, true};
}

std::shared_ptr<const Entry> ExecutableCache::wait(Flight &flight) { return flight.wait(); }

std::vector<Eviction> ExecutableCache::publish(const base::Hash128 &key, const std::shared_ptr<Flight> &flight,
                                               std::shared_ptr<const Entry> entry, std::uint64_t nowNs) {
  std::vector<Eviction> evictions;
  {
    const std::lock_guard lock(m_state->mutex);
    m_state->flights.erase(key);
    const bool keeps = m_state->options.capacityEntries != std::uint64_t{0};
    if (keeps) {
      m_state->add(key, entry, nowNs);
      evictions = m_state->shrink(key);
    }
  }
  flight->finish(std::move(entry));
  return evictions;
}

void ExecutableCache::abandon(const base::Hash128 &key, const std::shared_ptr<Flight> &flight) {
  {
    const std::lock_guard lock(m_state->mutex);
    m_state->flights.erase(key);
  }
  flight->finish(nullptr);
}

bool ExecutableCache::contains(const base::Hash128 &key) const {
  const std::lock_guard lock(m_state->mutex);
  return m_state->slots.contains(key);
}

std::vector<Eviction> ExecutableCache::clear() {
  const std::lock_guard lock(m_state->mutex);
  std::vector<base::Hash128> keys;
  for (const auto &[key, slot] : m_state->slots) {
    keys.push_back(key);
  }
  std::vector<Eviction> evictions;
  evictions.reserve(keys.size());
  for (const base::Hash128 &key : keys) {
    evictions.push_back(m_state->remove(key, event::EvictionReason::Clear));
  }
  m_state->uses = {};
  return evictions;
}

std::vector<Eviction> ExecutableCache::setOptions(CacheOptions options) {
  const std::lock_guard lock(m_state->mutex);
  m_state->useOptions(options);
  return m_state->shrink(std::nullopt);
}

bool ExecutableCache::isOff() const {
  const std::lock_guard lock(m_state->mutex);
  return m_state->options.capacityEntries == std::uint64_t{0};
}

CacheSize ExecutableCache::size() const {
  const std::lock_guard lock(m_state->mutex);
  return {m_state->slots.size(), m_state->codeBytes};
}

} // namespace jitscope::cache
