// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <QIcon>
#include <QPainterPath>
#include <QPixmap>

#include <array>

namespace jitscope::charts {

struct Palette;

/// The outcomes in the order of legends.
inline constexpr std::array kOutcomes{event::Outcome::Hit,  event::Outcome::Miss, event::Outcome::Retrace,
                                      event::Outcome::Disk, event::Outcome::Wait, event::Outcome::Bypass};

/// The shape of an outcome, one for each, centred on the origin and about `size` wide.
[[nodiscard]] QPainterPath outcomeShape(event::Outcome outcome, qreal size);

/// The shape in the outcome's colour, for one ratio of device to logical pixels.
[[nodiscard]] QPixmap outcomePixmap(event::Outcome outcome, const Palette &palette, qreal size, qreal devicePixelRatio);

/// The same as an icon for tables and lists.
[[nodiscard]] QIcon outcomeIcon(event::Outcome outcome, const Palette &palette);

} // namespace jitscope::charts
