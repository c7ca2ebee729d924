// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/palette.h"

#include <QObject>

namespace jitscope::ui {

/// Light or dark, for widgets and charts alike.
class Theme : public QObject {
  Q_OBJECT

public:
  enum class Choice : std::uint8_t { System, Light, Dark };

  /// Takes the application's present palette as the system's.
  explicit Theme(QObject *parent = nullptr);

  [[nodiscard]] Choice choice() const { return m_choice; }
  [[nodiscard]] charts::Scheme scheme() const;
  [[nodiscard]] const charts::Palette &palette() const { return charts::Palette::of(scheme()); }
  /// Recolours the whole application.
  void choose(Choice choice);

Q_SIGNALS:
  void changed();

private:
  charts::Scheme m_system;
  Choice m_choice = Choice::System;
};

} // namespace jitscope::ui
