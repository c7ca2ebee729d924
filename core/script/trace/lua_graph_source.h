// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"
#include "script/trace/script_function.h"
#include "script/trace/tracer.h"

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace jitscope::script {

/// The way from the engine back to a script's tracer. The engine may keep sources for longer than the script lives.
struct TracerLink {
  Tracer *tracer = nullptr; ///< null once the script has ended
};

/// A function made by `fn`, as the engine traces it.
class LuaGraphSource final : public GraphSource {
public:
  LuaGraphSource(std::shared_ptr<const TracerLink> link, std::shared_ptr<ScriptFunction> function)
      : m_link(std::move(link)), m_function(std::move(function)) {}

  base::Result<std::shared_ptr<const graph::Graph>> trace(const graph::Template &tmpl,
                                                          std::span<const Argument> arguments) override;
  std::shared_ptr<const FrozenValues> frozenIn(const graph::Template &tmpl) override;
  void forget(const graph::Template &tmpl) override;

private:
  std::shared_ptr<const TracerLink> m_link;
  std::shared_ptr<ScriptFunction> m_function;
};

/// `map` over a function, outside of any trace: one operation that calls the function's scalar graph for each element.
class MapGraphSource final : public GraphSource {
public:
  MapGraphSource(std::shared_ptr<const TracerLink> link, std::shared_ptr<ScriptFunction> function)
      : m_link(std::move(link)), m_function(std::move(function)) {}

  base::Result<std::shared_ptr<const graph::Graph>> trace(const graph::Template &tmpl,
                                                          std::span<const Argument> arguments) override;
  std::shared_ptr<const FrozenValues> frozenIn(const graph::Template &tmpl) override;
  void forget(const graph::Template &tmpl) override;

private:
  std::shared_ptr<const TracerLink> m_link;
  std::shared_ptr<ScriptFunction> m_function;
  std::mutex m_mutex;
  std::unordered_map<std::string, std::shared_ptr<const TracedGraph>> m_callees; // by the map's signature
};

/// The template of single elements that `map` calls its function for.
graph::Template elementTemplateOf(const graph::Template &tmpl);

} // namespace jitscope::script
