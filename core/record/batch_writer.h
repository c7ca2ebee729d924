// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"
#include "record/session_end.h"

#include <span>

namespace jitscope::record {

/// What was recorded between two polls of the writer thread. Everything that `calls` refer to is in `events` of this batch or an
/// earlier one; a compile may refer to a call of a later batch.
struct Batch {
  std::span<const event::Event> events;    ///< in the order in which they were recorded
  std::span<const event::CallEvent> calls; ///< ascending by id
};

/// Where a recorder's batches go. Used by one thread at a time; need not lock.
class BatchWriter {
public:
  virtual ~BatchWriter() = default;

  /// Stores a batch whole or not at all, such that it outlives the death of this process.
  [[nodiscard]] virtual base::Result<void> write(const Batch &batch) = 0;
  /// Ends the session. No other call follows.
  [[nodiscard]] virtual base::Result<void> finish(const SessionEnd &end) = 0;
};

} // namespace jitscope::record
