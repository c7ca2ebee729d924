// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cache/miss_reasons.h"
#include "event/event.h"
#include "jit/disk_cache.h"

#include <optional>
#include <string>

namespace jitscope::runtime {

/// Why the disk cache could not serve a miss: what it has in the place of the code.
struct DiskMiss {
  event::MissReason reason = event::MissReason::NewFunction;
  std::string difference;     ///< from the nearest entry, or what is wrong with the file
  bool isSameTemplate = true; ///< otherwise the nearest entry is of the same function for another template
};

/// Explains what `disk` said about `wanted`. Where it has nothing of the graph and `searchesFunction` holds, this looks for the
/// nearest entry of the same function: by the distance of the templates, then by the fields of the key that differ, then the
/// latest. Nothing where the disk has none.
[[nodiscard]] std::optional<DiskMiss> explainDiskMiss(const jit::DiskLookup &found, const jit::DiskCache &disk,
                                                      const jit::DiskKey &wanted, const jit::DiskOrigin &origin,
                                                      bool searchesFunction);

/// The explanation of a miss of `templateId`, from what memory and the disk say. A damaged file always comes first. Apart from
/// that, memory is right where it had the template (its code left, or was compiled under other options) and where the disk has
/// other templates alone.
[[nodiscard]] cache::MissExplanation withDiskMiss(cache::MissExplanation inMemory, const std::optional<DiskMiss> &onDisk,
                                                  base::TemplateId templateId);

} // namespace jitscope::runtime
