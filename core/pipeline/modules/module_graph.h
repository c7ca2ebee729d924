// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "pipeline/modules/module_symbols.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::pipeline {

/// Who refers to whom across several modules. A node is one symbol of one module; nodes are numbered module by module.
class ModuleGraph {
public:
  using Node = std::size_t;
  static constexpr Node kNone = ~Node{0};

  /// CompileInput when two modules define a symbol that only one may define; `paths` name the modules.
  static base::Result<ModuleGraph> of(std::vector<ModuleSymbols> modules, const std::vector<std::string> &paths);

  [[nodiscard]] const std::vector<ModuleSymbols> &modules() const { return m_modules; }
  [[nodiscard]] std::size_t nodeCount() const { return m_fileOf.size(); }
  [[nodiscard]] std::size_t fileOf(Node node) const { return m_fileOf[node]; }
  [[nodiscard]] Node nodeOf(std::size_t file, std::size_t place) const { return m_firstOf[file] + place; }
  [[nodiscard]] std::size_t placeOf(Node node) const { return node - m_firstOf[m_fileOf[node]]; }
  [[nodiscard]] const ModuleSymbol &symbolOf(Node node) const { return m_modules[m_fileOf[node]].symbols[placeOf(node)]; }
  /// The definition that the name stands for outside its module; kNone if there is none.
  [[nodiscard]] Node homeOf(std::string_view name) const;
  /// What the node's code or value refers to: symbols of its module, and for those that another module defines, the definition.
  [[nodiscard]] const std::vector<Node> &needsOf(Node node) const { return m_needs[node]; }
  /// The function or variable that an alias names in the end; the node itself where it is none.
  [[nodiscard]] Node behindAlias(Node node) const;

  [[nodiscard]] bool isDefinedFunction(Node node) const {
    return symbolOf(node).kind == SymbolKind::Function && symbolOf(node).isDefined;
  }
  /// A definition that stands for its name: local ones, and the home of a visible name.
  [[nodiscard]] bool isHome(Node node) const { return !symbolOf(node).isVisible || homeOf(symbolOf(node).name) == node; }

private:
  explicit ModuleGraph(std::vector<ModuleSymbols> modules) : m_modules(std::move(modules)) {}
  base::Result<void> findHomes(const std::vector<std::string> &paths);
  void connect();

  std::vector<ModuleSymbols> m_modules;
  std::vector<Node> m_firstOf; ///< by module
  std::vector<std::size_t> m_fileOf;
  std::map<std::string, Node, std::less<>> m_home;
  std::vector<std::vector<Node>> m_needs;
};

} // namespace jitscope::pipeline
