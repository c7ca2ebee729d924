// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"
#include "graph/graph.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace jitscope::script {

class FrozenValues;
class OutsideReads;

/// A graph and, kept with it, those of the functions it calls. A callee that only this graph reaches is dropped with it.
struct TracedGraph {
  std::shared_ptr<const graph::Graph> graph;
  std::vector<std::shared_ptr<const TracedGraph>> callees;
  std::shared_ptr<const FrozenValues> frozen; ///< its own and those of the callees; null: none
};

/// What Lua says about a function that `fn` is given.
struct FunctionTraits {
  std::string name;
  int line = 0;
  int parameterCount = 0;
  bool isVariadic = false;
  int luaReference = 0; ///< in the state's registry
};

/// A function made by `fn`: where its Lua body is, and what tracing it has given so far, by signature. Remembering and forgetting
/// may be done from any thread.
class ScriptFunction {
public:
  explicit ScriptFunction(FunctionTraits traits) : m_traits(std::move(traits)) {}

  [[nodiscard]] const std::string &name() const { return m_traits.name; }
  [[nodiscard]] int line() const { return m_traits.line; }
  [[nodiscard]] int luaReference() const { return m_traits.luaReference; }
  [[nodiscard]] base::FunctionId id() const { return m_id; }
  /// Called once, right after the function was defined in the engine.
  void setId(base::FunctionId id) { m_id = id; }
  /// The engine's function for `map` over this one; none until the first eager map.
  [[nodiscard]] base::FunctionId mapId() const { return m_mapId; }
  void setMapId(base::FunctionId id) { m_mapId = id; }

  /// "" where a call with so many arguments fits, else what is wrong with it.
  [[nodiscard]] std::string argumentProblem(int given) const;

  /// The graph of `signature` while anybody keeps it.
  [[nodiscard]] std::shared_ptr<const TracedGraph> find(const std::string &signature);
  void remember(const std::string &signature, const std::shared_ptr<const TracedGraph> &traced);
  /// Keeps it until `forget`: the engine has asked for it.
  void keep(const std::string &signature, std::shared_ptr<const TracedGraph> traced);
  void forget(const std::string &signature);
  /// What is kept for `signature`; null where nothing is.
  [[nodiscard]] std::shared_ptr<const TracedGraph> kept(const std::string &signature);

  /// What the body reads from outside, as of its latest trace. For the thread that traces.
  [[nodiscard]] const std::shared_ptr<const OutsideReads> &outsideReads() const { return m_outsideReads; }
  void setOutsideReads(std::shared_ptr<const OutsideReads> reads) { m_outsideReads = std::move(reads); }

private:
  static constexpr std::size_t kMinimumSweepSize = 256;

  FunctionTraits m_traits;
  base::FunctionId m_id;
  base::FunctionId m_mapId;
  std::shared_ptr<const OutsideReads> m_outsideReads;
  std::mutex m_mutex;
  std::unordered_map<std::string, std::weak_ptr<const TracedGraph>> m_known;
  /// The number of entries at which expired ones are removed. It becomes twice the number that remain, so removal costs little per
  /// trace.
  std::size_t m_sweepSize = kMinimumSweepSize;
  std::unordered_map<std::string, std::shared_ptr<const TracedGraph>> m_kept;
};

} // namespace jitscope::script
