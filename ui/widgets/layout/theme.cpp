// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layout/theme.h"

#include "ui/widgets/layout/indicator_style.h"

#include <QApplication>
#include <QPalette>

namespace jitscope::ui {

namespace {

QPalette paletteOf(charts::Scheme scheme) {
  const bool dark = scheme == charts::Scheme::Dark;
  const charts::Palette &colours = charts::Palette::of(scheme);
  QPalette palette;
  const QColor window = dark ? QColor(0x31, 0x36, 0x3f) : QColor(0xf3, 0xf4, 0xf6);
  palette.setColor(QPalette::Window, window);
  palette.setColor(QPalette::WindowText, colours.text);
  palette.setColor(QPalette::Base, colours.plot);
  palette.setColor(QPalette::AlternateBase, colours.band);
  palette.setColor(QPalette::Text, colours.text);
  palette.setColor(QPalette::PlaceholderText, colours.dimText);
  palette.setColor(QPalette::Button, dark ? QColor(0x3d, 0x44, 0x4e) : QColor(0xfa, 0xfb, 0xfc));
  palette.setColor(QPalette::ButtonText, colours.text);
  palette.setColor(QPalette::ToolTipBase, dark ? QColor(0x2d, 0x32, 0x39) : QColor(0xff, 0xff, 0xff));
  palette.setColor(QPalette::ToolTipText, colours.text);
  palette.setColor(QPalette::Highlight, dark ? QColor(0x1f, 0x4f, 0x86) : QColor(0xc9, 0xe1, 0xfa));
  palette.setColor(QPalette::HighlightedText, colours.text);
  palette.setColor(QPalette::Link, colours.accent);
  palette.setColor(QPalette::BrightText, colours.outcome(event::Outcome::Miss));
  palette.setColor(QPalette::Light, dark ? QColor(0x4a, 0x52, 0x5d) : QColor(0xff, 0xff, 0xff));
  palette.setColor(QPalette::Midlight, dark ? QColor(0x42, 0x49, 0x53) : QColor(0xe9, 0xeb, 0xee));
  palette.setColor(QPalette::Mid, dark ? QColor(0x55, 0x5d, 0x69) : QColor(0xc4, 0xc9, 0xd0));
  palette.setColor(QPalette::Dark, dark ? QColor(0x14, 0x16, 0x1a) : QColor(0xa8, 0xae, 0xb7));
  palette.setColor(QPalette::Shadow, dark ? QColor(0x0c, 0x0d, 0x10) : QColor(0x80, 0x86, 0x8f));
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
    palette.setColor(QPalette::Disabled, role, dark ? QColor(0x6c, 0x74, 0x7e) : QColor(0x9a, 0xa1, 0xab));
  }
  palette.setColor(QPalette::Disabled, QPalette::Highlight, window);
  return palette;
}

} // namespace

Theme::Theme(QObject *parent)
    : QObject(parent),
      m_system(QApplication::palette().color(QPalette::Window).lightness() < 128 ? charts::Scheme::Dark : charts::Scheme::Light) {
  QApplication::setStyle(new IndicatorStyle);
  QApplication::setPalette(paletteOf(scheme()));
}

charts::Scheme Theme::scheme() const {
  switch (m_choice) {
  case Choice::Light:
    return charts::Scheme::Light;
  case Choice::Dark:
    return charts::Scheme::Dark;
  case Choice::System:
    break;
  }
  return m_system;
}

void Theme::choose(Choice choice) {
  m_choice = choice;
  QApplication::setPalette(paletteOf(scheme()));
  Q_EMIT changed();
}

} // namespace jitscope::ui
