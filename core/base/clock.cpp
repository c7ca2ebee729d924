// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace jitscope::base {

namespace {

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;

std::uint64_t monotonicNs() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * kNsPerSecond + static_cast<std::uint64_t>(time.tv_nsec);
}

class SteadyClock final : public Clock {
public:
  explicit SteadyClock(ClockEpoch epoch) : m_epochNs(epoch.monotonicNs) {}
  [[nodiscard]] std::uint64_t nowNs() const noexcept override { return monotonicNs() - m_epochNs; }

private:
  std::uint64_t m_epochNs;
};

#if defined(__x86_64__)

/// CPUID 8000_0007h EDX bit 8: the counter runs at one rate through every power state (AMD APM vol. 3, Intel SDM vol. 3B 18.17).
bool hasInvariantCounter() {
  std::array<unsigned, 4> regs{};
  return __get_cpuid(0x80000007U, regs.data(), &regs[1], &regs[2], &regs[3]) != 0 && (regs[3] & (1U << 8U)) != 0;
}

struct Anchor {
  std::uint64_t ticks;
  std::uint64_t ns;
};

/// A counter value and the CLOCK_MONOTONIC time that belongs to it: of several tries the one that took the fewest ticks, since it
/// was not interrupted.
Anchor takeAnchor() {
  Anchor best{};
  std::uint64_t bestSpread = ~std::uint64_t{0};
  for (int i = 0; i < 16; ++i) {
    const std::uint64_t before = __rdtsc();
    const std::uint64_t ns = monotonicNs();
    const std::uint64_t after = __rdtsc();
    if (after - before < bestSpread) {
      bestSpread = after - before;
      best = {before + (after - before) / 2, ns};
    }
  }
  return best;
}

// The 128-bit type is an extension, hence the marker.
__extension__ using Wide = unsigned __int128;

/// ns = (ticks - base) * multiplier / 2^32 + offset, as the kernel's own clock source does it.
class CounterClock final : public Clock {
public:
  CounterClock(ClockEpoch epoch, Anchor first, Anchor second)
      : m_baseTicks(first.ticks), m_baseNs(static_cast<std::int64_t>(first.ns - epoch.monotonicNs)),
        m_multiplier(static_cast<std::uint64_t>((static_cast<Wide>(second.ns - first.ns) << 32U) / (second.ticks - first.ticks))) {}

  [[nodiscard]] std::uint64_t nowNs() const noexcept override {
    const std::uint64_t ticks = __rdtsc() - m_baseTicks;
    return static_cast<std::uint64_t>(m_baseNs) + static_cast<std::uint64_t>((static_cast<Wide>(ticks) * m_multiplier) >> 32U);
  }

private:
  std::uint64_t m_baseTicks;
  std::int64_t m_baseNs;
  std::uint64_t m_multiplier;
};

std::unique_ptr<Clock> makeCounterClock(ClockEpoch epoch) {
  if (!hasInvariantCounter()) {
    return nullptr;
  }
  // 4 ms apart the anchors' uncertainty (some 20 ns) is 5 ppm of the rate.
  constexpr std::uint64_t kCalibrationNs = 4'000'000;
  const Anchor first = takeAnchor();
  const timespec pause{0, static_cast<long>(kCalibrationNs)};
  nanosleep(&pause, nullptr);
  const Anchor second = takeAnchor();
  if (second.ticks <= first.ticks || second.ns <= first.ns) {
    return nullptr;
  }
  return std::make_unique<CounterClock>(epoch, first, second);
}

#else

std::unique_ptr<Clock> makeCounterClock(ClockEpoch) { return nullptr; }

#endif

} // namespace

ClockEpoch ClockEpoch::now() { return {jitscope::base::monotonicNs()}; }

std::unique_ptr<Clock> makeSteadyClock(ClockEpoch epoch) { return std::make_unique<SteadyClock>(epoch); }

std::unique_ptr<Clock> makeClock(ClockEpoch epoch) {
  if (std::unique_ptr<Clock> counter = makeCounterClock(epoch)) {
    return counter;
  }
  return makeSteadyClock(epoch);
}

double measureReadNs(const Clock &clock, unsigned rounds) {
  // Groups of reads, since one read is near the clock's own resolution.
  constexpr unsigned kGroup = 100;
  std::vector<double> perRead;
  for (unsigned done = 0; done < std::max(rounds, kGroup); done += kGroup) {
    const std::uint64_t start = clock.nowNs();
    std::uint64_t last = start;
    for (unsigned i = 0; i < kGroup; ++i) {
      last = clock.nowNs();
    }
    perRead.push_back(static_cast<double>(last - start) / kGroup);
  }
  const auto middle = perRead.begin() + static_cast<std::ptrdiff_t>(perRead.size() / 2);
  std::ranges::nth_element(perRead, middle);
  return *middle;
}

double measureStepNs(const Clock &clock) {
  constexpr unsigned kReads = 1'000'000; // a clock that ticks every few milliseconds is seen to tick
  constexpr unsigned kSteps = 200;
  std::uint64_t shortestNs = ~std::uint64_t{0};
  std::uint64_t lastNs = clock.nowNs();
  unsigned steps = 0;
  for (unsigned reads = 0; reads < kReads && steps < kSteps; ++reads) {
    const std::uint64_t nowNs = clock.nowNs();
    if (nowNs != lastNs) {
      shortestNs = std::min(shortestNs, nowNs - lastNs);
      lastNs = nowNs;
      ++steps;
    }
  }
  return steps == 0 ? 0 : static_cast<double>(shortestNs);
}

} // namespace jitscope::base
