// SPDX-License-Identifier: GPL-3.0-or-later
#include "cache/miss_reasons.h"

#include "cache/template_difference.h"

#include <utility>

namespace jitscope::cache {

using event::MissReason;

MissExplanation TemplateHistory::explain(base::FunctionId function, base::TemplateId id, const graph::Template &wanted,
                                         const std::string &options,
                                         const std::function<std::string(const std::string &known)> &optionDifference) const {
  const auto found = m_functions.find(function);
  if (found == m_functions.end()) {
    return {};
  }
  const Function &history = found->second;
  if (const std::optional<TemplateIndex::Row> row = rowOf(history, id, options)) {
    return {history.known[*row].state == State::Cleared ? MissReason::Cleared : MissReason::Evicted, id, ""};
  }
  if (const auto latest = history.latest.find(id); latest != history.latest.end()) {
    return {MissReason::Options, id, optionDifference(*history.known[latest->second].options)};
  }
  const std::optional<TemplateIndex::Row> nearest = history.index.nearest(wanted);
  if (!nearest) {
    return {};
  }
  const Known &known = history.known[*nearest];
  TemplateDifference difference = differenceBetween(known.tmpl, wanted);
  return {difference.reason, known.id, std::move(difference.text)};
}

std::optional<TemplateIndex::Row> TemplateHistory::rowOf(const Function &function, base::TemplateId id, std::string_view options) {
  const auto latest = function.latest.find(id);
  if (latest == function.latest.end()) {
    return std::nullopt;
  }
  std::optional<TemplateIndex::Row> row = latest->second;
  while (row && *function.known[*row].options != options) {
    row = function.known[*row].previous;
  }
  return row;
}

void TemplateHistory::compiled(base::FunctionId function, base::TemplateId id, const graph::Template &tmpl,
                               const std::string &options) {
  Function &history = m_functions[function];
  if (const std::optional<TemplateIndex::Row> row = rowOf(history, id, options)) {
    history.known[*row].state = State::Kept;
    return;
  }
  const TemplateIndex::Row row = history.index.add(tmpl);
  const auto [latest, isFirst] = history.latest.try_emplace(id, row);
  const std::optional<TemplateIndex::Row> previous = isFirst ? std::nullopt : std::optional(std::exchange(latest->second, row));
  history.known.push_back({id, State::Kept, &*m_options.insert(options).first, tmpl, previous});
}

void TemplateHistory::left(base::FunctionId function, base::TemplateId id, std::string_view options, event::EvictionReason reason) {
  Function &history = m_functions[function];
  if (const std::optional<TemplateIndex::Row> row = rowOf(history, id, options)) {
    history.known[*row].state = reason == event::EvictionReason::Clear ? State::Cleared : State::Evicted;
  }
}

} // namespace jitscope::cache
