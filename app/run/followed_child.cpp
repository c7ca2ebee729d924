// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/followed_child.h"

#include "run/activity_line.h"

#include "base/try.h"
#include "event/activity.h"
#include "session/session_reader.h"

#include <chrono>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace jitscope::app {

using base::Result;

namespace {

/// How often a run takes over what a child records. With the child's own interval of writing this is within the 100 ms that a
/// killed run may lose.
constexpr std::chrono::milliseconds kFollowInterval{40};
/// A child that was told to stop and is inside a pass of LLVM does not hear it. What it has recorded is taken over by then, so that
/// it is killed after so many seconds.
constexpr double kPatienceSeconds = 0.15;

} // namespace

FollowedChild::FollowedChild(Services services, std::string work, base::TemporaryFolder folder)
    : m_services(services), m_work(std::move(work)), m_folder(std::move(folder)) {}
FollowedChild::~FollowedChild() = default;
FollowedChild::FollowedChild(FollowedChild &&) noexcept = default;

Result<FollowedChild> FollowedChild::prepare(Services services, std::string work) {
  JITSCOPE_TRY(base::TemporaryFolder folder, base::within(base::TemporaryFolder::create(), "before " + work));
  return FollowedChild(services, std::move(work), std::move(folder));
}

std::string FollowedChild::sessionPath() const { return (m_folder.path() / "child.jitscope").string(); }

Result<session::SessionReader *> FollowedChild::session() {
  if (!m_reader) {
    // Written by our own child: there is no reason to look for damage while it works.
    JITSCOPE_TRY(m_reader, session::SessionReader::open(sessionPath(), {.verifyUpToBytes = 0}));
  }
  return m_reader.get();
}

Result<ChildEnd> FollowedChild::run(std::vector<std::string> arguments, const Hooks &hooks) {
  auto next = std::chrono::steady_clock::now();
  const auto look = [&] {
    if (const auto now = std::chrono::steady_clock::now(); hooks.follow && now >= next) {
      next = now + kFollowInterval;
      std::ignore = hooks.follow();
    }
  };
  const auto hear = [&](std::string_view line) {
    if (std::optional<std::optional<event::Activity>> activity = activityFromLine(line)) {
      m_services.activities.setRemote(*std::move(activity));
    } else if (hooks.onLine) {
      hooks.onLine(line);
    }
  };
  Result<ChildEnd> end = runChild({.arguments = std::move(arguments),
                                   .log = m_folder.path() / "stderr",
                                   .stopRequested = m_services.stopRequested,
                                   .folder = &m_folder,
                                   .siblings = &m_services.children,
                                   .patienceSeconds = kPatienceSeconds,
                                   .onLine = hear,
                                   .onTick = look});
  m_services.activities.setRemote({});
  if (end && m_services.stopRequested.load(std::memory_order_relaxed)) {
    return base::fail(base::ErrorCode::ScriptInterrupted, fmt::format("interrupted while {}", m_work));
  }
  return end;
}

} // namespace jitscope::app
