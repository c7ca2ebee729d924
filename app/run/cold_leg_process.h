// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/followed_child.h"

#include "base/clock.h"
#include "runtime/bench/cold_leg.h"

#include <string>
#include <vector>

namespace jitscope::event {
class Sink;
} // namespace jitscope::event

namespace jitscope::app {

/// Measures cold legs by starting this very command again: the child records a session of its own in a temporary folder, and what
/// it measured is taken over from there while it goes on, so that little is lost when this process is killed.
class ColdLegProcess final : public runtime::ColdLegLauncher {
public:
  struct Setup {
    std::string scriptPath;
    std::string scriptSha256;                 ///< the child refuses a script that was changed since
    std::vector<std::string> optionArguments; ///< as on the command line: "--set", "opt=2", …
    base::ClockEpoch epoch;                   ///< of the session: the child's times stand on the same axis
    event::Sink &sink;
    FollowedChild::Services child;
  };
  explicit ColdLegProcess(Setup setup) : m_setup(std::move(setup)) {}

  base::Result<runtime::MeasuredLeg> launch(const runtime::ColdLegRequest &request, runtime::IdRegistry &ids) override;

private:
  Setup m_setup;
};

} // namespace jitscope::app
