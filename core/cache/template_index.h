// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/template.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace jitscope::cache {

/// The maximum cost of one search. It bounds the time for templates with many fields of few, independent values: the result is then
/// the nearest of the latest templates, which are searched first.
struct SearchLimits {
  std::size_t comparisons = 4'096; ///< fields compared
  std::size_t structures = 64;     ///< structures other than the wanted one, those with the latest templates first
};

/// Finds the template nearest to a wanted one without looking at all of them.
///
/// Templates of one structure (number of arguments; which are static; the ranks of the others) have the same fields: the value of
/// a static argument, the type of a tensor, each of its sizes. For each value of each field the index lists the templates that have
/// it. A field whose value is new differs from every template, and one that all templates share differs from none, so neither needs
/// a look. A nearest template is on the list of at least one of the other fields, unless it is the latest of all. The lists are
/// searched shortest first, from the latest template on, and the search ends as soon as no list can hold a nearer one.
class TemplateIndex {
public:
  /// The number of a template, in the order in which they were added, from 0.
  using Row = std::uint32_t;

  explicit TemplateIndex(SearchLimits limits = {});
  ~TemplateIndex();
  TemplateIndex(TemplateIndex &&) noexcept;
  TemplateIndex &operator=(TemplateIndex &&) noexcept;

  /// The same template may be added again: it then counts as later.
  Row add(const graph::Template &tmpl);
  /// The template with the smallest `TemplateDifference::distance` from `wanted`, the latest of equally near ones. `wanted` itself
  /// must not be in the index. Nothing when the index is empty.
  [[nodiscard]] std::optional<Row> nearest(const graph::Template &wanted) const;

private:
  class Search;
  struct State;
  std::unique_ptr<State> m_state;
};

} // namespace jitscope::cache
