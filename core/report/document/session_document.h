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
  Density density = Density::Whole;
  std::size_t rows = 200;                            ///< of a table, before it says how many more there are
  std::size_t scriptBytes = std::size_t{256} * 1024; ///< of the script, before it is cut
  const ChartSource *charts = nullptr;               ///< none: without drawings
};

/// A session as a document: what text, Markdown, HTML and PDF show. A new section is a function and a line in the list of
/// session_document.cpp.
[[nodiscard]] Document sessionDocument(const analysis::Summary &summary, const SessionDocumentOptions &options = {});

} // namespace jitscope::report
