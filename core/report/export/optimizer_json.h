// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace jitscope::event {
struct PassRun;
struct Remark;
} // namespace jitscope::event
namespace jitscope::analysis {
struct OptimizerSummary;
struct Divergence;
} // namespace jitscope::analysis

/// What is made of the optimizer's tables, as JSON. Durations in nanoseconds, sizes in bytes; null for what there is none of.
namespace jitscope::report {

[[nodiscard]] nlohmann::ordered_json remarkJson(const event::Remark &remark);
[[nodiscard]] nlohmann::ordered_json passJson(const event::PassRun &pass);
[[nodiscard]] nlohmann::ordered_json divergenceJson(const analysis::Divergence &divergence);
/// {"pipelines", "passes", "remarks", "studies"}.
[[nodiscard]] nlohmann::ordered_json optimizerJson(const analysis::OptimizerSummary &summary);

} // namespace jitscope::report
