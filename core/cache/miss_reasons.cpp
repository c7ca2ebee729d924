// SPDX-License-Identifier: GPL-3.0-or-later
#include "cache/miss_reasons.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace jitscope::cache {

using event::MissReason;

namespace {

/// As signatures write it: templates for every size of a dimension have a question mark.
std::string sizeText(std::int64_t size) { return size < 0 ? "?" : std::to_string(size); }

// How far apart a difference puts two templates: a kind weighs more than any number of differences of the kinds below it.
constexpr std::uint32_t kSizeDistance = 1;
constexpr std::uint32_t kStaticDistance = 100;
constexpr std::uint32_t kDtypeDistance = 1'000;
constexpr std::uint32_t kRankDistance = 100'000;
constexpr std::uint32_t kArityDistance = 10'000'000;

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

MissExplanation TemplateHistory::explain(base::FunctionId function, const graph::Template &wanted, const std::string &options,
                                         const std::function<std::string(const std::string &known)> &optionDifference) const {
  const auto known = m_known.find(function);
  if (known == m_known.end()) {
    return {};
  }
  const Known *sameTemplate = nullptr;
  const Known *nearest = nullptr;
  std::optional<TemplateDifference> nearestDifference;
  for (const Known &candidate : known->second) {
    if (candidate.tmpl == wanted) {
      sameTemplate = &candidate;
      if (candidate.options == options) {
        const bool wasCleared = candidate.state == State::Cleared;
        return {wasCleared ? MissReason::Cleared : MissReason::Evicted, candidate.id, ""};
      }
      continue;
    }
    TemplateDifference difference = differenceBetween(candidate.tmpl, wanted);
    // Of equally near ones the latest: it is what the reader has seen last.
    if (!nearestDifference || difference.distance <= nearestDifference->distance) {
      nearest = &candidate;
      nearestDifference = std::move(difference);
    }
  }
  if (sameTemplate != nullptr) {
    return {MissReason::Options, sameTemplate->id, optionDifference(sameTemplate->options)};
  }
  return {nearestDifference->reason, nearest->id, nearestDifference->text};
}

void TemplateHistory::compiled(base::FunctionId function, base::TemplateId id, const graph::Template &tmpl,
                               const std::string &options) {
  std::vector<Known> &known = m_known[function];
  const auto same = std::ranges::find_if(known, [&](const Known &entry) { return entry.id == id && entry.options == options; });
  if (same != known.end()) {
    same->state = State::Kept;
    return;
  }
  known.push_back({id, tmpl, options, State::Kept});
}

void TemplateHistory::left(base::FunctionId function, base::TemplateId id, std::string_view options, std::string_view reason) {
  for (Known &entry : m_known[function]) {
    if (entry.id == id && entry.options == options) {
      entry.state = reason == "clear" ? State::Cleared : State::Evicted;
    }
  }
}

} // namespace jitscope::cache
