// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

namespace jitscope::base {

/// Nanoseconds since the session began. Injected wherever time is read, so that tests can hold it still.
/// Every member may be called from any thread.
class Clock {
public:
  virtual ~Clock() = default;

  /// Nanoseconds since the epoch of this clock; never goes backwards on one thread.
  [[nodiscard]] virtual std::uint64_t nowNs() const noexcept = 0;
};

/// The point in time that a clock counts from, in nanoseconds of CLOCK_MONOTONIC. Shared with child processes, so that their times
/// and the parent's stand on one axis.
struct ClockEpoch {
  std::uint64_t monotonicNs = 0;

  /// The present moment.
  static ClockEpoch now();
};

/// The cheapest correct clock of this machine: the time stamp counter where the CPU says it is invariant, scaled against
/// CLOCK_MONOTONIC over a few milliseconds; CLOCK_MONOTONIC itself elsewhere.
std::unique_ptr<Clock> makeClock(ClockEpoch epoch);

/// CLOCK_MONOTONIC counted from `epoch`; the reference that the counter-based clock is checked against.
std::unique_ptr<Clock> makeSteadyClock(ClockEpoch epoch);

/// The median cost of one `nowNs()` in nanoseconds, from `rounds` back-to-back reads.
double measureReadNs(const Clock &clock, unsigned rounds = 20000);

/// The shortest time above 0 that two readings of the clock are apart, in nanoseconds: what it cannot divide. 0 for one that
/// stands.
double measureStepNs(const Clock &clock);

} // namespace jitscope::base
