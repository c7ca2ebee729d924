// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/summary.h"
#include "report/document/bounded_rows.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// The rows of a summary's bounded tables and what is said of those left out, the same in every format.
namespace jitscope::report {

/// One row of a table of templates.
struct TemplateRow {
  const analysis::FunctionSummary *function = nullptr;
  const analysis::TemplateSummary *entry = nullptr;

  /// What a template costs: what its compiles took, and then what its calls did.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> cost() const;
};

/// The templates that tables of a report name, see `isUsed`, in the order of their functions. `summary` must outlive them.
[[nodiscard]] std::vector<TemplateRow> templateRows(const analysis::Summary &summary);

/// "and 312 more templates: 4,201 calls, 1.2 s of compiling"; empty where a table shows all.
[[nodiscard]] std::string templatesLeftOut(const BoundedRows<TemplateRow> &rows);

/// The same for the most expensive compiles, of which a summary holds so many.
[[nodiscard]] std::string compilesLeftOut(const analysis::Summary &summary);

/// Rows of sections, without that of a run's beginning where it has no calls; and the text on those that a table leaves out.
[[nodiscard]] std::vector<analysis::SectionSummary> sectionRows(const analysis::Summary &summary);
[[nodiscard]] std::string sectionsLeftOut(const BoundedRows<analysis::SectionSummary> &rows);

/// The warnings that a report shows, errors before others where not all fit; and the text on those that it leaves out.
[[nodiscard]] BoundedRows<event::LogEvent> warningRows(const analysis::Summary &summary, std::size_t limit);
[[nodiscard]] std::string warningsLeftOut(const analysis::Summary &summary, const BoundedRows<event::LogEvent> &rows);

} // namespace jitscope::report
