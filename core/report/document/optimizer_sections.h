// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

/// The sections of reports on what the optimizer did.
namespace jitscope::report {

struct SectionContext;

/// The passes that took longest, side by side where there are several pipelines.
[[nodiscard]] DocumentSection passSection(const SectionContext &context);
/// The remarks by kind, pass and name; in a short report how many of each pass, in a line or two.
[[nodiscard]] DocumentSection remarkSection(const SectionContext &context);
/// How often functions were worked on, and what the repeats cost.
[[nodiscard]] DocumentSection workSection(const SectionContext &context);

} // namespace jitscope::report
