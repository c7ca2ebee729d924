// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/child_process.h"

#include "base/error.h"
#include "base/temporary_folder.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::event {
class ActivityBoard;
} // namespace jitscope::event
namespace jitscope::session {
class SessionReader;
} // namespace jitscope::session

namespace jitscope::app {

/// This very command, started again for a part of the run's work. It records a session of its own in a temporary folder, and the
/// run takes that over while it goes on, so that little is lost when one of the two is killed.
class FollowedChild {
public:
  struct Services {
    const std::atomic<bool> &stopRequested;
    event::ActivityBoard &activities; ///< where the child's compiles are told
    Children &children;               ///< where the child is entered while it lives
  };
  /// What `run` needs besides the arguments.
  struct Hooks {
    /// Takes over what the child has recorded since the last time. Called now and then; what goes wrong shows again at the end.
    std::function<base::Result<void>()> follow = {};
    /// Hears each line of the child's standard output that tells no activity.
    std::function<void(std::string_view line)> onLine = {};
  };

  /// `work` is what the child does, for messages: "a cold leg was measured".
  static base::Result<FollowedChild> prepare(Services services, std::string work);
  ~FollowedChild();
  FollowedChild(FollowedChild &&) noexcept;
  FollowedChild &operator=(FollowedChild &&) = delete;

  /// Where the child is to record.
  [[nodiscard]] std::string sessionPath() const;
  /// A reader of what it records, opened when there is something to read.
  base::Result<session::SessionReader *> session();

  /// Starts the child and waits for it. ScriptInterrupted when the run was asked to stop meanwhile.
  base::Result<ChildEnd> run(std::vector<std::string> arguments, const Hooks &hooks);

private:
  FollowedChild(Services services, std::string work, base::TemporaryFolder folder);

  Services m_services;
  std::string m_work;
  base::TemporaryFolder m_folder;
  std::unique_ptr<session::SessionReader> m_reader;
};

} // namespace jitscope::app
