// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <cstddef>

namespace jitscope::analysis {
struct Summary;
}

namespace jitscope::report {

class ChartSource;

struct SessionDocumentOptions {
  std::size_t rows = 200;                            ///< of a table, before it says how many more there are
  std::size_t passes = 30;                           ///< those that took longest
  std::size_t scriptBytes = std::size_t{256} * 1024; ///< of the script, before it is cut
  const ChartSource *charts = nullptr;               ///< none: without drawings
};

/// A session as a page to read: what Markdown and HTML show.
[[nodiscard]] Document sessionDocument(const analysis::Summary &summary, const SessionDocumentOptions &options = {});

/// The part on benchmarks.
[[nodiscard]] std::vector<DocumentSection> benchmarkSections(const analysis::Summary &summary);

} // namespace jitscope::report
