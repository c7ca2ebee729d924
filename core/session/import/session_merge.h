// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <filesystem>
#include <span>

namespace jitscope::session {

class SessionReader;

/// Puts several sessions into a new one: every row of every table, with ids that go on from those of the sessions before, so that
/// nothing is lost and nothing counted twice. Times count from the earliest start. Processes get numbers of their own, as do
/// benches; equal IR is kept once. Table `merged_session` says what it was made of; a merged session can be merged again, with the
/// same outcome as if all had been merged at once.
///
/// The new session is finished if all were. StorageFormat for one that is still being written, or that occurs twice; StorageExists
/// where something has the name already; StorageWrite where it does not fit. The file appears whole or not at all.
[[nodiscard]] base::Result<void> mergeSessions(std::span<SessionReader *const> sources, const std::filesystem::path &target);

} // namespace jitscope::session
