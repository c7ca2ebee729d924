// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/hash.h"
#include "base/ids.h"
#include "event/event.h"
#include "graph/tensor.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::graph {
class Graph;
} // namespace jitscope::graph
namespace jitscope::script {
class FrozenValues;
} // namespace jitscope::script

namespace jitscope::cache {

/// Native code that can be called; the caller decides what it consists of. The machine code is freed with the last holder.
class Executable {
public:
  virtual ~Executable() = default;
  [[nodiscard]] virtual std::uint64_t codeBytes() const = 0;
};

/// What a hit yields: code, and what the function closes over. Immutable and shared.
struct Entry {
  base::TemplateId templateId;
  std::shared_ptr<const Executable> executable;
  std::vector<graph::Tensor> captures;                        ///< the concrete tensors, which are read at each call
  std::string options;                                        ///< text of the compile options, for whoever keeps track of what left
  std::shared_ptr<const graph::Graph> numberChecks = nullptr; ///< what it asks of Lua numbers at a call; null: nothing
  std::shared_ptr<const script::FrozenValues> frozen = nullptr; ///< constants of the code; null: none
};

struct CacheOptions {
  /// Maximum number of entries; 0 turns the cache off, nothing means no bound.
  std::optional<std::uint64_t> capacityEntries;
  /// Maximum bytes of machine code; nothing means no bound. An entry larger than that stays until the next one comes.
  std::optional<std::uint64_t> capacityBytes;
};

/// An entry that left.
struct Eviction {
  base::TemplateId templateId;
  std::string options;
  event::EvictionReason reason = event::EvictionReason::Entries;
  std::uint64_t codeBytes = 0; ///< 0 while another entry shares the code
};

struct CacheSize {
  std::uint64_t entries = 0;
  std::uint64_t codeBytes = 0; ///< code that several entries share counts once
};

/// Executables by call key, with single flight and least-recently-used eviction. Every member may be called from any thread.
///
/// A thread that finds nothing becomes the key's owner: it makes the entry and calls `publish`, or `abandon` when that failed.
/// Other threads that ask for the key meanwhile wait for it.
class ExecutableCache {
public:
  explicit ExecutableCache(CacheOptions options = {});
  ~ExecutableCache();
  ExecutableCache(const ExecutableCache &) = delete;
  ExecutableCache &operator=(const ExecutableCache &) = delete;

  /// What is being made right now; opaque.
  class Flight;

  struct Lookup {
    std::shared_ptr<const Entry> entry; ///< set on a hit
    std::shared_ptr<Flight> flight;     ///< otherwise: what to publish, abandon or wait for
    bool isOwner = false;               ///< this caller makes the entry
  };

  /// The entry of `key`, which counts as used at `nowNs`; null if there is none. Claims nothing.
  std::shared_ptr<const Entry> find(const base::Hash128 &key, std::uint64_t nowNs);
  /// The entry, or ownership of the key, or the flight of its owner.
  Lookup acquire(const base::Hash128 &key, std::uint64_t nowNs);
  /// Waits for the owner. Null if the owner failed: call `acquire` again then.
  static std::shared_ptr<const Entry> wait(Flight &flight);

  /// The owner succeeded: stores the entry and wakes waiting threads. Returns the entries that were evicted for it.
  std::vector<Eviction> publish(const base::Hash128 &key, const std::shared_ptr<Flight> &flight, std::shared_ptr<const Entry> entry,
                                std::uint64_t nowNs);
  /// The owner failed: stores nothing and wakes waiting threads.
  void abandon(const base::Hash128 &key, const std::shared_ptr<Flight> &flight);

  /// Whether `find` would succeed; does not count as use.
  [[nodiscard]] bool contains(const base::Hash128 &key) const;
  /// Drops every entry. Flights go on and publish into the emptied cache.
  std::vector<Eviction> clear();
  /// New bounds, effective at once.
  std::vector<Eviction> setOptions(CacheOptions options);
  [[nodiscard]] bool isOff() const;
  [[nodiscard]] CacheSize size() const;

private:
  struct State;
  std::unique_ptr<State> m_state;
};

} // namespace jitscope::cache
