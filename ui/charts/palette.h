// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <QColor>

#include <array>
#include <cstddef>

namespace jitscope::charts {

enum class Scheme : std::uint8_t { Light, Dark };

/// The colours of charts. Those that tell things apart are of Okabe and Ito's palette, which people with any kind of colour
/// blindness can tell apart (https://jfly.uni-koeln.de/color/), lightened or darkened to stand out from the background. Nothing is
/// told by colour alone: outcomes have shapes, phases an order and a legend.
struct Palette {
  QColor background; ///< around the plot
  QColor plot;       ///< behind marks
  QColor text;
  QColor dimText;
  QColor grid;
  QColor band;   ///< every second section
  QColor accent; ///< selections
  std::array<QColor, 6> outcomes;
  std::array<QColor, 6> phases; ///< trace, lower, optimize, codegen, link, between
  QColor cold;
  QColor warm;

  [[nodiscard]] QColor outcome(event::Outcome outcome) const { return outcomes[static_cast<std::size_t>(outcome)]; }
  [[nodiscard]] QColor leg(event::Leg leg) const { return leg == event::Leg::Warm ? warm : cold; }

  [[nodiscard]] static const Palette &of(Scheme scheme);
};

} // namespace jitscope::charts
