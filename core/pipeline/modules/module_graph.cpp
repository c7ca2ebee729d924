// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/modules/module_graph.h"

#include "base/try.h"

#include <utility>

#include <fmt/format.h>

namespace jitscope::pipeline {

base::Result<ModuleGraph> ModuleGraph::of(std::vector<ModuleSymbols> modules, const std::vector<std::string> &paths) {
  ModuleGraph graph(std::move(modules));
  for (std::size_t file = 0; file < graph.m_modules.size(); ++file) {
    graph.m_firstOf.push_back(graph.m_fileOf.size());
    graph.m_fileOf.insert(graph.m_fileOf.end(), graph.m_modules[file].symbols.size(), file);
  }
  JITSCOPE_TRY_VOID(graph.findHomes(paths));
  graph.connect();
  return graph;
}

base::Result<void> ModuleGraph::findHomes(const std::vector<std::string> &paths) {
  for (Node node = 0; node < nodeCount(); ++node) {
    const ModuleSymbol &symbol = symbolOf(node);
    if (!symbol.isStrong || symbol.kind == SymbolKind::Special) {
      continue;
    }
    if (const auto [known, isNew] = m_home.emplace(symbol.name, node); !isNew) {
      return base::fail(base::ErrorCode::CompileInput,
                        fmt::format("{} and {} both define {}", paths[fileOf(known->second)], paths[fileOf(node)], symbol.name));
    }
  }
  for (Node node = 0; node < nodeCount(); ++node) {
    const ModuleSymbol &symbol = symbolOf(node);
    if (symbol.isDefined && symbol.isVisible && symbol.kind != SymbolKind::Special) {
      m_home.emplace(symbol.name, node);
    }
  }
  return {};
}

void ModuleGraph::connect() {
  m_needs.resize(nodeCount());
  for (Node node = 0; node < nodeCount(); ++node) {
    for (const std::size_t place : symbolOf(node).needs) {
      const Node local = nodeOf(fileOf(node), place);
      m_needs[node].push_back(local);
      const ModuleSymbol &symbol = symbolOf(local);
      const bool mayBeElsewhere = symbol.isVisible && (!symbol.isDefined || symbol.isReplaceable);
      const Node home = mayBeElsewhere ? homeOf(symbol.name) : kNone;
      if (home != kNone && home != local) {
        m_needs[node].push_back(home);
      }
    }
  }
}

ModuleGraph::Node ModuleGraph::homeOf(std::string_view name) const {
  const auto home = m_home.find(name);
  return home == m_home.end() ? kNone : home->second;
}

ModuleGraph::Node ModuleGraph::behindAlias(Node node) const {
  // A chain of aliases has no ring: LLVM's verifier refuses that.
  while (symbolOf(node).kind == SymbolKind::Alias && !needsOf(node).empty()) {
    node = needsOf(node).front();
  }
  return node;
}

} // namespace jitscope::pipeline
