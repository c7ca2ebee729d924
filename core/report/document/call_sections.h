// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

/// The sections of a report on calls and their compiles.
namespace jitscope::report {

struct SectionContext;

[[nodiscard]] DocumentSection outcomeSection(const SectionContext &context);
[[nodiscard]] DocumentSection compileSection(const SectionContext &context);
[[nodiscard]] DocumentSection stormSection(const SectionContext &context);
[[nodiscard]] DocumentSection missSection(const SectionContext &context);
[[nodiscard]] DocumentSection retrievalSection(const SectionContext &context);
[[nodiscard]] DocumentSection templateSection(const SectionContext &context);
/// The sections of the script. One would repeat the totals, and is left out.
[[nodiscard]] DocumentSection scriptSectionSection(const SectionContext &context);

} // namespace jitscope::report
