// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <filesystem>
#include <string_view>

namespace jitscope::app {

/// Writes a result: to standard output where `path` is empty or "-", else to that file by way of a temporary one beside it, so that
/// the name only ever stands for a whole file. Pipes and devices are written as they are; sessions and other databases are never
/// replaced. StorageWrite, StorageOpen or StorageExists, naming path and cause; nothing half-written stays.
base::Result<void> writeResult(const std::filesystem::path &path, std::string_view text);

} // namespace jitscope::app
