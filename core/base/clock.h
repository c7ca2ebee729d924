// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

namespace jitscope::base {

/// Nanoseconds since the session began. Passed to everything that reads the time, so tests can stop it. Every member may be called
/// from any thread.
class Clock {
public:
  virtual ~Clock() = default;

  /// Nanoseconds since the epoch of this clock; never goes backwards on one thread.
  [[nodiscard]] virtual std::uint64_t nowNs() const noexcept = 0;
};

/// The point in time that a clock counts from, in nanoseconds of CLOCK_MONOTONIC. Child processes share it, so their times and the
/// parent's are comparable.
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

/// The resolution of the clock in nanoseconds: the smallest difference above 0 of two readings. 0 for a clock that stands still.
double measureStepNs(const Clock &clock);

} // namespace jitscope::base
