// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "event/event.h"

#include <functional>
#include <memory>

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
/// that died gives what it had recorded. One thread at a time.
class StudyImporter {
public:
  /// `child` and `sink` must outlive it.
  StudyImporter(SessionReader &child, base::SectionId section, StudyImportIds ids, event::Sink &sink);
  ~StudyImporter();
  StudyImporter(const StudyImporter &) = delete;
  StudyImporter &operator=(const StudyImporter &) = delete;

  /// Takes over what the child has recorded since the last time.
  [[nodiscard]] base::Result<void> follow();

private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

/// The whole of it at once.
[[nodiscard]] base::Result<void> importStudies(SessionReader &child, base::SectionId section, const StudyImportIds &ids,
                                               event::Sink &sink);

} // namespace jitscope::session
