// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"

#include <QString>

#include <map>
#include <vector>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::ui {

struct DiffVersion;

/// What a compile was made for, in words; each is empty where there is no such thing.
struct CompileOrigin {
  QString study;   ///< "study 2"
  QString section; ///< the name of the section that it was compiled in
  QString code;    ///< the function that was compiled and its template: "outer:16 (f64[10000])"
};

using CompileOrigins = std::map<base::CompileId, CompileOrigin>;

/// Of all compiles. The error is that of a query.
[[nodiscard]] base::Result<CompileOrigins> readOrigins(session::SessionReader &reader,
                                                       const std::vector<event::CompileEvent> &compiles,
                                                       const std::vector<event::StudyEvent> &studies);

/// Gives the versions of one function their titles, which name the study and what tells them apart, and tips, which name
/// everything.
void nameVersions(std::vector<DiffVersion> &versions, const CompileOrigins &origins);

} // namespace jitscope::ui
