// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "event/event.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace jitscope::event {
class Sink;
}

namespace jitscope::session {

class SessionReader;

/// An id of the receiving session, and whether it is still unknown there.
template <typename IdType> struct AssignedId {
  IdType id;
  bool isNew = false; ///< the importer then announces it by an event
};

/// Where the receiving session's ids come from. All of them are called on the thread that imports.
struct ImportIds {
  /// The receiver's function with this name, line and eagerness; a new id if there is none. `id` of the argument is the child's.
  std::function<AssignedId<base::FunctionId>(const event::FunctionEvent &)> function;
  /// The receiver's template with this function (already the receiver's id) and signature; a new id if there is none.
  std::function<AssignedId<base::TemplateId>(base::FunctionId, const event::TemplateEvent &)> templateOf;
  std::function<base::CallId()> newCall;
  std::function<base::CompileId()> newCompile;
};

/// What to import, and as what.
struct ImportRequest {
  /// The case in the child's session; empty for the only case that it has calls of.
  std::optional<base::CaseId> childCase;
  base::CaseId caseId;       ///< the same case in the receiving session
  base::SectionId sectionId; ///< the section that its calls belong to there
  std::uint16_t process = 1; ///< the number that the child's rows get
};

struct ImportCounts {
  std::uint64_t calls = 0;
  std::uint64_t compiles = 0;
  std::uint64_t retrievals = 0;
};

/// Replays one benchmark case of another process's session into `sink`: its calls, and the compiles and retrievals those calls
/// caused. Functions and templates are matched by what they are and announced before use where they are new. Times are taken over
/// as they stand: both sessions must count from one epoch. One thread at a time.
class CaseImporter {
public:
  /// `child` and `sink` must outlive it.
  CaseImporter(SessionReader &child, ImportRequest request, ImportIds ids, event::Sink &sink);
  ~CaseImporter();
  CaseImporter(const CaseImporter &) = delete;
  CaseImporter &operator=(const CaseImporter &) = delete;

  /// Takes over what the child has recorded since the last time; nothing, while it has no call of a case. After an error the next
  /// call goes on from there. StorageFormat when the child holds calls of several cases and none was named.
  [[nodiscard]] base::Result<void> follow();
  /// The same for a child that records no more: what can have no counterpart any more is left out. StorageFormat when it holds no
  /// case.
  [[nodiscard]] base::Result<ImportCounts> finish();

private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

/// The whole of it at once.
[[nodiscard]] base::Result<ImportCounts> importCase(SessionReader &child, const ImportRequest &request, const ImportIds &ids,
                                                    event::Sink &sink);

} // namespace jitscope::session
