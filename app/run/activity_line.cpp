// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/activity_line.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <nlohmann/json.hpp>

namespace jitscope::app {

namespace {

using event::Activity;
using nlohmann::json;

/// What is over sooner is not told: telling costs time that the child measures.
constexpr std::chrono::milliseconds kWorthTelling{200};

// The clock is the system's, so that both processes count from one moment.
std::int64_t toNs(Activity::Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}
Activity::Clock::time_point fromNs(std::int64_t ns) { return Activity::Clock::time_point(std::chrono::nanoseconds(ns)); }

} // namespace

std::string activityLine(const std::optional<Activity> &activity) {
  json line = json::object();
  if (activity) {
    line = {{"function", activity->function},
            {"signature", activity->signature},
            {"pipeline", activity->pipeline},
            {"phase", event::nameOf(activity->phase)},
            {"unit", activity->unit},
            {"stage", event::nameOf(activity->stage)},
            {"pass", activity->pass},
            {"started_ns", toNs(activity->startedAt)},
            {"pass_started_ns", toNs(activity->passStartedAt)}};
  }
  return json{{"activity", line}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<std::optional<Activity>> activityFromLine(std::string_view line) {
  const json message = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!message.is_object() || !message.contains("activity") || !message["activity"].is_object()) {
    return std::nullopt;
  }
  const json &values = message["activity"];
  if (values.empty()) {
    return std::optional<Activity>();
  }
  const auto textOf = [&values](const char *key) {
    const auto value = values.find(key);
    return value != values.end() && value->is_string() ? value->get<std::string>() : std::string();
  };
  const auto timeOf = [&values](const char *key) {
    const auto value = values.find(key);
    return fromNs(value != values.end() && value->is_number_integer() ? value->get<std::int64_t>() : 0);
  };
  Activity activity;
  activity.function = textOf("function");
  activity.signature = textOf("signature");
  activity.pipeline = textOf("pipeline");
  activity.phase = event::compilePhaseFromName(textOf("phase")).value_or(event::CompilePhase::Trace);
  activity.unit = textOf("unit");
  activity.stage = event::stageFromName(textOf("stage")).value_or(event::Stage::None);
  activity.pass = textOf("pass");
  activity.startedAt = timeOf("started_ns");
  activity.passStartedAt = timeOf("pass_started_ns");
  return std::optional(std::move(activity));
}

void ActivityReporter::look() {
  const std::vector<Activity> activities = m_board.activities();
  const auto now = Activity::Clock::now();
  const auto longest =
      std::ranges::find_if(activities, [now](const Activity &activity) { return now - activity.startedAt >= kWorthTelling; });
  if (longest == activities.end() && m_latest.empty()) {
    return;
  }
  std::string line = activityLine(longest == activities.end() ? std::nullopt : std::optional(*longest)) + "\n";
  if (line == m_latest) {
    return;
  }
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
  m_latest = longest == activities.end() ? std::string() : std::move(line);
}

} // namespace jitscope::app
