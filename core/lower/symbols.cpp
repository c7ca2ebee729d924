// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/symbols.h"

#include "graph/graph.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <unordered_set>

namespace jitscope::lower {

using graph::Graph;
using graph::Node;
using graph::Op;

namespace {

constexpr std::size_t kLongestName = 60;
constexpr std::size_t kHashDigits = 16;

/// Symbols of the functions met so far: a call graph may reach one by many ways.
using Symbols = std::unordered_map<const Graph *, std::string>;

std::string sanitized(std::string_view name) {
  std::string text;
  for (const char letter : name.substr(0, kLongestName)) {
    const bool isPlain = std::isalnum(static_cast<unsigned char>(letter)) != 0 && static_cast<unsigned char>(letter) < 0x80;
    text += isPlain ? letter : '_';
  }
  return text;
}

const std::string &symbolOf(const Graph &graph, Symbols &known) {
  if (const auto found = known.find(&graph); found != known.end()) {
    return found->second;
  }
  // The structural hash says nothing of names, but a module names its callees.
  std::string identity = base::toHex(graph.structuralHash()) + graph.name();
  for (const Node &node : graph.nodes()) {
    if (node.op == Op::Call || node.op == Op::Map) {
      identity += ' ' + symbolOf(node.callee(), known);
    }
  }
  const std::string digits = base::toHex(base::hashText(identity)).substr(0, kHashDigits);
  return known.emplace(&graph, sanitized(graph.name()) + '_' + digits).first->second;
}

void collect(const std::shared_ptr<const Graph> &graph, Symbols &symbols, std::unordered_set<std::string> &seen,
             std::vector<NamedFunction> &functions) {
  const std::string symbol = symbolOf(*graph, symbols);
  if (!seen.insert(symbol).second) {
    return;
  }
  for (const Node &node : graph->nodes()) {
    if (node.op == Op::Call || node.op == Op::Map) {
      collect(node.calleePointer(), symbols, seen, functions);
    }
  }
  functions.push_back({graph, symbol});
}

} // namespace

std::string symbolOf(const Graph &graph) {
  Symbols known;
  return symbolOf(graph, known);
}

std::string entrySymbolOf(const Graph &root) { return symbolOf(root) + "_entry"; }

std::vector<NamedFunction> functionsOf(const std::shared_ptr<const Graph> &root) {
  Symbols symbols;
  std::unordered_set<std::string> seen;
  std::vector<NamedFunction> functions;
  collect(root, symbols, seen, functions);
  return functions;
}

} // namespace jitscope::lower
