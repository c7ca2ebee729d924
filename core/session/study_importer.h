// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "event/event.h"

#include <functional>

namespace jitscope::event {
class Sink;
} // namespace jitscope::event

namespace jitscope::session {

class SessionReader;

/// Where the receiving session's ids come from. All of them are called on the thread that imports.
struct StudyImportIds {
  /// The receiver's id of a function of the child's; the receiver announces it where it is new.
  std::function<base::FunctionId(const event::FunctionEvent &)> function;
  std::function<base::CompileId()> newCompile;
  std::function<base::StudyId()> newStudy;
};

/// Replays the studies of modules that another process recorded into `sink`, as parts of `section`: studies, their compiles with
/// all that hangs on them, results and notes. Times are taken over as they stand: both sessions must count from one epoch. A child
/// that died gives what it had recorded.
[[nodiscard]] base::Result<void> importStudies(SessionReader &child, base::SectionId section, const StudyImportIds &ids,
                                               event::Sink &sink);

} // namespace jitscope::session
