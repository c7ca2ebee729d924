// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <cstdint>
#include <string_view>

namespace jitscope::runtime {

/// Hears how a run gets on, for whoever shows it. Called on the script's thread.
class RunObserver {
public:
  virtual ~RunObserver() = default;
  /// Text that the script prints, newline included.
  virtual void printed(std::string_view text) = 0;
  virtual void sectionBegan(std::string_view name) = 0;
  /// A leg of a case begins; it takes at least `plannedNs`.
  virtual void legBegan(std::string_view caseName, std::string_view inputName, event::Leg leg, std::uint64_t plannedNs) = 0;
  virtual void legEnded() = 0;
  /// A study compiles `function` under `pipeline`: in detail when `repetition` is 0, then for the time alone, up to `repetitions`.
  virtual void studyStep(std::string_view function, std::string_view pipeline, std::uint32_t repetition,
                         std::uint32_t repetitions) = 0;
  virtual void studyEnded() = 0;
};

} // namespace jitscope::runtime
