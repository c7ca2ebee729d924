// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <vector>

namespace jitscope::report {

struct SectionContext;

/// A section for each study: what its pipelines cost, what they made, where they diverge, and what work was repeated.
[[nodiscard]] std::vector<DocumentSection> studySections(const SectionContext &context);

} // namespace jitscope::report
