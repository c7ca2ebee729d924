// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace jitscope::base {
class Clock;
} // namespace jitscope::base
namespace jitscope::event {
class Sink;
} // namespace jitscope::event

namespace jitscope::runtime {

/// Median nanoseconds that a hit with two arguments costs beyond its kernel: clock reads, key, lookup, counting and handing the
/// event to `sink`, which should be like the run's own. Takes about a millisecond.
double measureCallOverheadNs(const base::Clock &clock, event::Sink &sink);

/// How much timing a hit inflates its reported time, as the median in nanoseconds: the clock is read before the lookup, before the
/// execution, and after it. Takes about a millisecond.
double measureTimingOverheadNs(const base::Clock &clock);

} // namespace jitscope::runtime
