// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph_hashes.h"

#include "graph/graph.h"

#include <bit>
#include <cstdint>
#include <map>
#include <variant>
#include <vector>

namespace jitscope::graph {

namespace {

/// What an attribute says but for constants and callees.
struct AttributeWords {
  std::vector<std::uint64_t> &words;
  void operator()(std::monostate) const {}
  void operator()(const IndexAttribute &attribute) const { words.push_back(attribute.index); }
  void operator()(const ConstantAttribute & /*attribute*/) const {}
  void operator()(const AxesAttribute &attribute) const {
    words.push_back(attribute.axes.size());
    words.insert(words.end(), attribute.axes.begin(), attribute.axes.end());
  }
  void operator()(const SliceAttribute &attribute) const {
    words.push_back(attribute.starts.size());
    for (const std::int64_t start : attribute.starts) {
      words.push_back(static_cast<std::uint64_t>(start));
    }
  }
  void operator()(const CalleeAttribute & /*attribute*/) const {}
};

void append(std::vector<std::uint64_t> &words, const base::Hash128 &hash) {
  words.push_back(hash.low);
  words.push_back(hash.high);
}

void appendType(std::vector<std::uint64_t> &words, const TensorType &type) {
  words.push_back(static_cast<std::uint64_t>(type.dtype) << 8U | type.shape.rank());
  for (const std::int64_t size : type.shape.sizes()) {
    words.push_back(static_cast<std::uint64_t>(size));
  }
}

/// A constant by its value, rounded to what every float dtype has: the dtype differs from template to template.
std::uint64_t roundedValue(const Node &node) {
  double value = 0;
  switch (node.type.dtype) {
  case DType::Pred:
  case DType::U8:
    value = static_cast<double>(node.bits());
    break;
  case DType::S32:
    value = static_cast<double>(static_cast<std::int32_t>(node.bits()));
    break;
  case DType::S64:
    value = static_cast<double>(static_cast<std::int64_t>(node.bits()));
    break;
  case DType::F32:
    value = std::bit_cast<float>(static_cast<std::uint32_t>(node.bits()));
    break;
  case DType::F64:
    value = std::bit_cast<double>(node.bits());
    break;
  }
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

/// `typeOf` and `attributeOf` append what two hashes differ in: types, constants and callees.
template <typename TypeOf, typename AttributeOf>
base::Hash128 hashOf(const Graph &graph, std::vector<std::uint64_t> words, TypeOf typeOf, AttributeOf attributeOf) {
  words.insert(words.end(), {graph.nodes().size(), graph.parameterTypes().size(), graph.captures().size()});
  for (const Node &node : graph.nodes()) {
    words.push_back(static_cast<std::uint64_t>(node.op));
    typeOf(words, node);
    words.push_back(node.operands.size());
    words.insert(words.end(), node.operands.begin(), node.operands.end());
    std::visit(AttributeWords{words}, node.attribute);
    attributeOf(words, node);
  }
  words.insert(words.end(), graph.results().begin(), graph.results().end());
  return base::hashWords(words);
}

/// Hashes each callee once, however often it is called.
class FunctionHashes {
public:
  base::Hash128 of(const Graph &graph) {
    if (const auto known = m_known.find(&graph); known != m_known.end()) {
      return known->second;
    }
    std::vector<std::uint64_t> words;
    append(words, base::hashText(graph.name()));
    const auto typeOf = [](std::vector<std::uint64_t> & /*words*/, const Node & /*node*/) {};
    const auto attributeOf = [this](std::vector<std::uint64_t> &more, const Node &node) {
      if (std::holds_alternative<ConstantAttribute>(node.attribute)) {
        more.push_back(roundedValue(node));
      } else if (std::holds_alternative<CalleeAttribute>(node.attribute)) {
        append(more, of(node.callee()));
      }
    };
    const base::Hash128 hash = hashOf(graph, std::move(words), typeOf, attributeOf);
    m_known.emplace(&graph, hash);
    return hash;
  }

private:
  std::map<const Graph *, base::Hash128> m_known;
};

} // namespace

base::Hash128 structuralHashOf(const Graph &graph) {
  const auto typeOf = [](std::vector<std::uint64_t> &words, const Node &node) { appendType(words, node.type); };
  const auto attributeOf = [](std::vector<std::uint64_t> &words, const Node &node) {
    if (std::holds_alternative<ConstantAttribute>(node.attribute)) {
      words.push_back(node.bits());
    } else if (std::holds_alternative<CalleeAttribute>(node.attribute)) {
      append(words, node.callee().structuralHash());
    }
  };
  return hashOf(graph, {}, typeOf, attributeOf);
}

base::Hash128 functionHashOf(const Graph &graph) { return FunctionHashes().of(graph); }

} // namespace jitscope::graph
