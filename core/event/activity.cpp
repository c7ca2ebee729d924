// SPDX-License-Identifier: GPL-3.0-or-later
#include "event/activity.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace jitscope::event {

namespace {

constexpr std::array<std::pair<CompilePhase, std::string_view>, 5> kCompilePhases{{{CompilePhase::Trace, "trace"},
                                                                                   {CompilePhase::Lower, "lower"},
                                                                                   {CompilePhase::Optimize, "optimize"},
                                                                                   {CompilePhase::Codegen, "codegen"},
                                                                                   {CompilePhase::Link, "link"}}};

double secondsBetween(Activity::Clock::time_point from, Activity::Clock::time_point to) {
  return std::max(std::chrono::duration<double>(to - from).count(), 0.0);
}

} // namespace

std::string_view nameOf(CompilePhase phase) { return kCompilePhases.at(static_cast<std::size_t>(phase)).second; }

std::optional<CompilePhase> compilePhaseFromName(std::string_view name) {
  const auto *known = std::ranges::find(kCompilePhases, name, &std::pair<CompilePhase, std::string_view>::second);
  return known == kCompilePhases.end() ? std::nullopt : std::optional(known->first);
}

std::string describe(const Activity &activity, Activity::Clock::time_point now) {
  std::string text = fmt::format("compiling {}", activity.function);
  if (!activity.signature.empty()) {
    text += fmt::format(" for {}", activity.signature);
  }
  if (!activity.pipeline.empty()) {
    text += fmt::format(" under {}", activity.pipeline);
  }
  text += fmt::format(" for {:.1f} s: {}", secondsBetween(activity.startedAt, now), nameOf(activity.phase));
  if (!activity.pass.empty()) {
    text += fmt::format(", pass {}", activity.pass);
  }
  if (!activity.unit.empty() && (!activity.pass.empty() || activity.unit != activity.function)) {
    text += fmt::format(" on {}", activity.unit);
  }
  if (activity.stage != Stage::None) {
    text += fmt::format(" (stage {})", nameOf(activity.stage));
  }
  return text + fmt::format(" for {:.1f} s", secondsBetween(activity.passStartedAt, now));
}

std::vector<std::string> describe(const std::vector<Activity> &activities) {
  std::vector<std::string> lines;
  lines.reserve(activities.size());
  const auto now = Activity::Clock::now();
  for (const Activity &activity : activities) {
    lines.push_back("while " + describe(activity, now));
  }
  return lines;
}

std::vector<Activity> ActivityBoard::activities() const {
  const std::lock_guard lock(m_mutex);
  std::vector<Activity> all(m_activities.begin(), m_activities.end());
  if (m_remote) {
    all.push_back(*m_remote);
  }
  return all;
}

void ActivityBoard::setRemote(std::optional<Activity> activity) {
  const std::lock_guard lock(m_mutex);
  m_remote = std::move(activity);
}

CompileActivity::CompileActivity(ActivityBoard *board, std::string_view function, std::string_view signature,
                                 std::string_view pipeline)
    : m_board(board) {
  if (m_board == nullptr) {
    return;
  }
  Activity activity;
  activity.function = function;
  activity.signature = signature;
  activity.pipeline = pipeline;
  activity.startedAt = activity.passStartedAt = Activity::Clock::now();
  const std::lock_guard lock(m_board->m_mutex);
  m_entry = m_board->m_activities.insert(m_board->m_activities.end(), std::move(activity));
}

CompileActivity::~CompileActivity() {
  if (m_board != nullptr) {
    const std::lock_guard lock(m_board->m_mutex);
    m_board->m_activities.erase(m_entry);
  }
}

void CompileActivity::enter(CompilePhase phase, std::string_view unit, Stage stage) {
  if (m_board == nullptr) {
    return;
  }
  const std::lock_guard lock(m_board->m_mutex);
  m_entry->phase = phase;
  m_entry->unit = unit;
  m_entry->stage = stage;
  m_entry->pass.clear();
  m_entry->passStartedAt = Activity::Clock::now();
}

void CompileActivity::pass(std::string_view name, std::string_view function) {
  if (m_board == nullptr) {
    return;
  }
  const std::lock_guard lock(m_board->m_mutex);
  m_entry->pass = name;
  if (!function.empty()) {
    m_entry->unit = function;
  }
  m_entry->passStartedAt = Activity::Clock::now();
}

} // namespace jitscope::event
