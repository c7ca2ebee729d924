// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <vector>

namespace jitscope::report {

struct SectionContext;

/// A section for each `bench`, laid out as Benchee's users know it.
[[nodiscard]] std::vector<DocumentSection> benchmarkSections(const SectionContext &context);

} // namespace jitscope::report
