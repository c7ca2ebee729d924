// SPDX-License-Identifier: GPL-3.0-or-later
#include "cache/template_difference.h"

#include <algorithm>

#include <fmt/format.h>

namespace jitscope::cache {

using event::MissReason;

namespace {

/// As signatures write it: templates for every size of a dimension have a question mark.
std::string sizeText(std::int64_t size) { return size < 0 ? "?" : std::to_string(size); }

/// Collects what differs; the gravest difference names the reason.
class Comparison {
public:
  void add(MissReason reason, std::uint32_t distance, const std::string &text) {
    m_difference.text += m_difference.text.empty() ? text : "; " + text;
    m_difference.distance += distance;
    if (distance > m_gravest) {
      m_gravest = distance;
      m_difference.reason = reason;
    }
  }

  void compare(std::size_t position, const graph::TensorType &known, const graph::TensorType &wanted) {
    if (known.shape.rank() != wanted.shape.rank()) {
      add(MissReason::NewRank, kRankDistance,
          fmt::format("arg {} rank: {} -> {} ({} -> {})", position, known.shape.rank(), wanted.shape.rank(), toString(known.shape),
                      toString(wanted.shape)));
    }
    if (known.dtype != wanted.dtype || known.weak != wanted.weak) {
      add(MissReason::NewDtype, kDtypeDistance,
          fmt::format("arg {} dtype: {} -> {}", position, dtypeText(known), dtypeText(wanted)));
    }
    if (known.shape.rank() == wanted.shape.rank()) {
      for (std::size_t axis = 0; axis < known.shape.rank(); ++axis) {
        if (known.shape[axis] != wanted.shape[axis]) {
          add(MissReason::NewShape, kSizeDistance,
              fmt::format("arg {} dim {}: {} -> {}", position, axis, sizeText(known.shape[axis]), sizeText(wanted.shape[axis])));
        }
      }
    }
  }

  [[nodiscard]] TemplateDifference take() { return std::move(m_difference); }

private:
  static std::string dtypeText(const graph::TensorType &type) {
    return type.weak ? toString(type) : std::string(nameOf(type.dtype));
  }

  TemplateDifference m_difference;
  std::uint32_t m_gravest = 0;
};

std::string kindOf(const graph::ArgumentType &argument) {
  return std::holds_alternative<graph::TensorType>(argument) ? toString(std::get<graph::TensorType>(argument))
                                                             : std::get<graph::StaticValue>(argument).text;
}

} // namespace

TemplateDifference differenceBetween(const graph::Template &known, const graph::Template &wanted) {
  Comparison comparison;
  if (known.arguments.size() != wanted.arguments.size()) {
    comparison.add(MissReason::NewArity, kArityDistance,
                   fmt::format("arguments: {} -> {}", known.arguments.size(), wanted.arguments.size()));
  }
  const std::size_t common = std::min(known.arguments.size(), wanted.arguments.size());
  for (std::size_t i = 0; i < common; ++i) {
    const auto *knownTensor = std::get_if<graph::TensorType>(&known.arguments[i]);
    const auto *wantedTensor = std::get_if<graph::TensorType>(&wanted.arguments[i]);
    if (knownTensor != nullptr && wantedTensor != nullptr) {
      comparison.compare(i, *knownTensor, *wantedTensor);
    } else if (known.arguments[i] != wanted.arguments[i]) {
      comparison.add(MissReason::StaticValue, kStaticDistance,
                     fmt::format("arg {}: {} -> {}", i, kindOf(known.arguments[i]), kindOf(wanted.arguments[i])));
    }
  }
  return comparison.take();
}

} // namespace jitscope::cache
