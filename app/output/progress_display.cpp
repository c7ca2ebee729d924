// SPDX-License-Identifier: GPL-3.0-or-later
#include "output/progress_display.h"

#include "output/message.h"

#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <condition_variable>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::app {

namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
/// Runs shorter than this show nothing: a line that flashes is worse than none.
constexpr auto kPatience = std::chrono::milliseconds(300);
constexpr std::array<std::string_view, 4> kFrames{"|", "/", "-", "\\"};
constexpr std::size_t kMaxTitle = 48;
/// A compile that is done sooner is not told.
constexpr auto kSlow = std::chrono::milliseconds(300);

double seconds(std::chrono::nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

/// Printable ASCII and UTF-8, short enough for one line: the text comes from a script.
std::string shortened(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, kMaxTitle)) {
    result += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
  }
  if (text.size() > kMaxTitle) {
    // Not in the middle of a character.
    while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xC0U) == 0x80U) {
      result.pop_back();
    }
    if (!result.empty() && static_cast<unsigned char>(result.back()) >= 0xC0U) {
      result.pop_back();
    }
    result += "…";
  }
  return result;
}

/// No longer than the terminal is wide: what is wrapped is not redrawn in place.
std::string fitted(std::string line) {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && line.size() >= size.ws_col) {
    line.resize(base::characterStart(line, size.ws_col - 1U));
  }
  return line;
}

std::string bar(double fraction) {
  constexpr int kWidth = 24;
  const int done = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * kWidth);
  return fmt::format("[{}{}]", std::string(static_cast<std::size_t>(done), '#'),
                     std::string(static_cast<std::size_t>(kWidth - done), '-'));
}

} // namespace

ProgressDisplay::ProgressDisplay(Options options)
    : m_options(options),
      m_isShown(options.mode == ProgressMode::Always || (options.mode == ProgressMode::Auto && ::isatty(STDERR_FILENO) == 1)) {
  if (m_isShown) {
    m_thread = std::jthread([this](const std::stop_token &token) { draw(token); });
  }
}

ProgressDisplay::~ProgressDisplay() {
  if (m_thread.joinable()) {
    m_thread.request_stop();
    m_thread.join();
  }
  const std::lock_guard lock(m_mutex);
  erase();
}

void ProgressDisplay::draw(const std::stop_token &token) {
  std::condition_variable_any wake;
  std::unique_lock lock(m_mutex);
  while (!token.stop_requested()) {
    if (Clock::now() - m_start >= kPatience && !m_isSilent) {
      redraw();
    }
    wake.wait_for(lock, token, kInterval, [] { return false; });
  }
}

void ProgressDisplay::redraw() {
  const Clock::time_point now = Clock::now();
  std::string line = fmt::format("{} {:6.1f} s", kFrames.at(m_frame++ % kFrames.size()), seconds(now - m_start));
  if (!m_section.empty()) {
    line += fmt::format("  {}", m_section);
  }
  if (m_leg) {
    const double elapsed = seconds(now - m_leg->start);
    const double planned = seconds(m_leg->planned);
    line += fmt::format("  {}  {} {:.1f}/{:.1f} s", m_leg->title, bar(planned > 0 ? elapsed / planned : 0), elapsed, planned);
  }
  if (!m_step.empty()) {
    line += fmt::format("  {}", m_step);
  }
  if (m_options.activities != nullptr) {
    const std::vector<event::Activity> activities = m_options.activities->activities();
    const auto slow =
        std::ranges::find_if(activities, [now](const event::Activity &each) { return now - each.startedAt >= kSlow; });
    line += slow == activities.end() ? "" : "  " + event::describe(*slow, now);
  }
  say(fmt::format("\r\x1b[K{}", fitted(std::move(line))));
  m_hasLine = true;
}

void ProgressDisplay::erase() {
  if (m_hasLine.exchange(false)) {
    say("\r\x1b[K");
  }
}

void ProgressDisplay::silence() {
  m_isSilent = true;
  erase();
}

void ProgressDisplay::printed(std::string_view text) {
  const std::lock_guard lock(m_mutex);
  erase();
  std::fwrite(text.data(), 1, text.size(), m_options.output);
  std::fflush(m_options.output);
}

void ProgressDisplay::sectionBegan(std::string_view name) {
  const std::lock_guard lock(m_mutex);
  m_section = shortened(name);
}

void ProgressDisplay::legBegan(std::string_view caseName, std::string_view inputName, event::Leg leg, std::uint64_t plannedNs) {
  const std::lock_guard lock(m_mutex);
  const std::string title = inputName.empty() ? std::string(caseName) : fmt::format("{} ({})", caseName, inputName);
  m_leg = Leg{fmt::format("{}, {}", shortened(title), nameOf(leg)), Clock::now(), std::chrono::nanoseconds(plannedNs)};
}

void ProgressDisplay::legEnded() {
  const std::lock_guard lock(m_mutex);
  m_leg.reset();
}

void ProgressDisplay::studyStep(std::string_view function, std::string_view pipeline, std::uint32_t repetition,
                                std::uint32_t repetitions) {
  const std::lock_guard lock(m_mutex);
  m_step = fmt::format("{}, {}: {}", shortened(function), pipeline,
                       repetition == 0 ? std::string("in detail") : fmt::format("timed {}/{}", repetition, repetitions));
}

void ProgressDisplay::studyEnded() {
  const std::lock_guard lock(m_mutex);
  m_step.clear();
}

} // namespace jitscope::app
