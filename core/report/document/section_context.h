// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/summary.h"
#include "report/document/session_document.h"

#include <algorithm>
#include <cstddef>

namespace jitscope::report {

/// What the sections of a session's report are made from. Each section is a function of it; without blocks it is left out.
struct SectionContext {
  const analysis::Summary &summary;
  const SessionDocumentOptions &options;

  [[nodiscard]] bool isWhole() const { return options.density == Density::Whole; }
  /// How many rows a table shows: as many as all tables do, and at most so many where the report is not whole.
  [[nodiscard]] std::size_t rows(std::size_t inShort) const { return isWhole() ? options.rows : std::min(options.rows, inShort); }
};

} // namespace jitscope::report
