// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/modules/root_finder.h"

#include "base/counted.h"
#include "pipeline/modules/module_program.h"
#include "pipeline/observe/readable_name.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/StringRef.h>

namespace jitscope::pipeline {

using base::ErrorCode;
using base::fail;
using base::Result;
using Node = ModuleGraph::Node;

namespace {

constexpr std::string_view kRemedy = "name one with --root, in a script root = \"NAME\" of modules{}";

/// The last component of a qualified name, without what a language puts around it.
std::string_view lastComponent(std::string_view name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string_view::npos ? name : name.substr(colon + 2);
}

class RootFinder {
public:
  RootFinder(const ModuleGraph &graph, const std::vector<std::string> &paths) : m_graph(graph), m_paths(paths) {
    m_lastComponents.resize(graph.nodeCount());
    for (Node node = 0; node < graph.nodeCount(); ++node) {
      if (graph.isDefinedFunction(node)) {
        m_lastComponents[node] = lastComponent(readableName(graph.symbolOf(node).name));
      }
      if (graph.isDefinedFunction(node) && graph.isHome(node)) {
        m_functions.push_back(node);
      }
    }
  }

  Result<Node> named(const std::string &wanted) const {
    std::vector<Node> bySymbol;
    std::vector<Node> byName;
    std::vector<Node> byLastComponent;
    for (Node node = 0; node < m_graph.nodeCount(); ++node) {
      const Node function = m_graph.behindAlias(node);
      const ModuleSymbol &symbol = m_graph.symbolOf(node);
      if (!symbol.isDefined || !m_graph.isHome(node) || !m_graph.isDefinedFunction(function)) {
        continue;
      }
      const std::string name = readableName(symbol.name);
      std::vector<Node> *found = symbol.name == wanted           ? &bySymbol
                                 : name == wanted                ? &byName
                                 : lastComponent(name) == wanted ? &byLastComponent
                                                                 : nullptr;
      if (found != nullptr && std::ranges::find(*found, function) == found->end()) {
        found->push_back(function);
      }
    }
    for (std::vector<Node> *found : {&bySymbol, &byName, &byLastComponent}) {
      const std::vector<Node> all = *found;
      std::erase_if(*found, [&](Node node) { return std::ranges::any_of(all, [&](Node of) { return isWrapper(node, of); }); });
      if (found->size() == 1) {
        return found->front();
      }
      if (!found->empty()) {
        const std::string &symbol = m_graph.symbolOf(found->front()).name;
        const bool isOneSymbol = std::ranges::all_of(*found, [&](Node node) { return m_graph.symbolOf(node).name == symbol; });
        return fail(ErrorCode::CompileInput,
                    fmt::format("{} have the name {}; {}:{}", base::counted(found->size(), "function"), wanted,
                                isOneSymbol ? "leave out the modules that you do not mean" : "name one by its symbol",
                                asList(*found, true)));
      }
    }
    return noSuch(wanted);
  }

  Result<Node> only() const {
    if (m_functions.empty()) {
      return fail(ErrorCode::CompileInput, "the modules define no function");
    }
    const std::vector<Node> candidates = candidatesOf(freeFiles());
    if (candidates.size() == 1) {
      return candidates.front();
    }
    if (!candidates.empty()) {
      return fail(ErrorCode::CompileInput, fmt::format("{} could be the root; {}:{}", base::counted(candidates.size(), "function"),
                                                       kRemedy, asList(candidates, false)));
    }
    std::vector<Node> visible;
    std::ranges::copy_if(m_functions, std::back_inserter(visible), [&](Node node) { return m_graph.symbolOf(node).isVisible; });
    return visible.empty()
               ? fail(ErrorCode::CompileInput, "no function is visible outside its module, so none can be the root "
                                               "unless it is named; " +
                                                   std::string(kRemedy) + ":" + asList(m_functions, false))
               : fail(ErrorCode::CompileInput, fmt::format("every function is referred to by another one, so none is the root by "
                                                           "itself; {}:{}",
                                                           kRemedy, asList(visible, false)));
  }

private:
  /// Wrappers of a function call it and share the last component of its name.
  [[nodiscard]] bool isWrapper(Node node, Node of) const {
    return node != of && m_lastComponents[node] == m_lastComponents[of] && needs(node, of) && !needs(of, node);
  }
  [[nodiscard]] bool needs(Node node, Node other) const {
    const std::vector<Node> &needed = m_graph.needsOf(node);
    return std::ranges::find(needed, other) != needed.end();
  }

  /// The modules that no other needs.
  [[nodiscard]] std::set<std::size_t> freeFiles() const {
    std::set<std::size_t> files;
    for (std::size_t file = 0; file < m_paths.size(); ++file) {
      files.insert(file);
    }
    std::set<std::size_t> free = files;
    for (Node node = 0; node < m_graph.nodeCount(); ++node) {
      for (const Node needed : m_graph.needsOf(node)) {
        if (m_graph.fileOf(needed) != m_graph.fileOf(node)) {
          free.erase(m_graph.fileOf(needed));
        }
      }
    }
    return candidatesOf(free).empty() ? files : free;
  }

  /// Visible functions of these modules that nothing refers to but themselves and wrappers of their own name, which are none.
  [[nodiscard]] std::vector<Node> candidatesOf(const std::set<std::size_t> &files) const {
    std::set<Node> ruledOut;
    for (Node node = 0; node < m_graph.nodeCount(); ++node) {
      if (m_graph.symbolOf(node).kind == SymbolKind::Special) {
        continue; // lists such as llvm.used are no callers
      }
      for (const Node needed : m_graph.needsOf(node)) {
        const bool wraps = m_graph.isDefinedFunction(node) && m_graph.isDefinedFunction(needed) && isWrapper(node, needed);
        if (needed != node) {
          ruledOut.insert(wraps ? node : needed);
        }
      }
    }
    std::vector<Node> candidates;
    for (const Node node : m_functions) {
      if (m_graph.symbolOf(node).isVisible && files.contains(m_graph.fileOf(node)) && !ruledOut.contains(node)) {
        candidates.push_back(node);
      }
    }
    return candidates;
  }

  /// One line for each, with its module.
  [[nodiscard]] std::string asList(const std::vector<Node> &nodes, bool withSymbols) const {
    constexpr std::size_t kMaxLines = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(nodes.size(), kMaxLines); ++i) {
      const std::string &symbol = m_graph.symbolOf(nodes[i]).name;
      text += fmt::format("\n  {} in {}", withSymbols ? symbol : readableName(symbol), m_paths[m_graph.fileOf(nodes[i])]);
    }
    return nodes.size() > kMaxLines ? text + fmt::format("\n  and {} more", base::formatCount(nodes.size() - kMaxLines)) : text;
  }

  [[nodiscard]] Result<Node> noSuch(const std::string &wanted) const {
    if (m_functions.empty()) {
      return fail(ErrorCode::CompileInput, fmt::format("there is no function {}: the modules define none", wanted));
    }
    std::vector<std::string> names;
    for (const Node node : m_functions) {
      names.push_back(readableName(m_graph.symbolOf(node).name));
    }
    std::ranges::stable_sort(names, {},
                             [&](const std::string &name) { return llvm::StringRef(lastComponent(name)).edit_distance(wanted); });
    const auto repeated = std::ranges::unique(names);
    names.erase(repeated.begin(), repeated.end());
    names.resize(std::min<std::size_t>(names.size(), 3));
    return fail(ErrorCode::CompileInput, fmt::format("there is no function {}; the nearest {} {}", wanted,
                                                     base::isOrAre(names.size()), fmt::join(names, ", ")));
  }

  const ModuleGraph &m_graph;
  const std::vector<std::string> &m_paths;
  std::vector<Node> m_functions;             ///< those that stand for their names
  std::vector<std::string> m_lastComponents; ///< of functions, by node
};

} // namespace

Result<Node> findRoot(const ModuleGraph &graph, const std::vector<std::string> &paths, const std::string &name) {
  const RootFinder finder(graph, paths);
  return name.empty() ? finder.only() : finder.named(name);
}

} // namespace jitscope::pipeline
