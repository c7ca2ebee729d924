// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QLabel>

namespace jitscope::ui {

/// A label with links, which are reached by mouse and keys, in the colours of the present theme.
class LinkLabel : public QLabel {
public:
  explicit LinkLabel(QWidget *parent) : QLabel(parent) {
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextBrowserInteraction);
    // Else the longest word, which may be a mangled name, would be as narrow as the window gets.
    setMinimumWidth(200);
  }

protected:
  void changeEvent(QEvent *event) override {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !text().isEmpty()) {
      // Links have the colour of the moment at which their text was read.
      const QString shown = text();
      clear();
      setText(shown);
    }
  }
};

} // namespace jitscope::ui
