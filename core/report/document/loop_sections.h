// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <cstddef>

namespace jitscope::analysis {
struct LoopSummary;
} // namespace jitscope::analysis

/// What reports say of loops.
namespace jitscope::report {

struct SectionContext;

/// Adds a table of loops, the most urgent first: what became of each, by which pass and under which pipelines, why it stayed scalar
/// and what would help. What all pipelines agree about is one row. At most so many rows; what is left out is counted. Adds nothing
/// where there are no loops.
void addLoops(DocumentSection &section, const analysis::LoopSummary &summary, std::size_t maxRows);

/// A section of the loops outside studies.
[[nodiscard]] DocumentSection loopSection(const SectionContext &context);

} // namespace jitscope::report
