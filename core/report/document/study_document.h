// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <cstddef>
#include <vector>

namespace jitscope::analysis {
struct Summary;
}

namespace jitscope::report {

struct StudyDocumentOptions {
  std::size_t loops = 200;    ///< before the table says how many more there are
  std::size_t functions = 20; ///< of each pipeline, those with the most repeated work
};

/// A section for each study: what its pipelines cost, what they made, where they diverge, and what work was repeated.
[[nodiscard]] std::vector<DocumentSection> studySections(const analysis::Summary &summary,
                                                         const StudyDocumentOptions &options = {});

} // namespace jitscope::report
