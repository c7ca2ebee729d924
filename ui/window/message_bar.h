// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;

namespace jitscope::ui {

/// What went wrong, above the page, until somebody closes it. Unlike a dialog it is in nobody's way.
class MessageBar : public QFrame {
  Q_OBJECT

public:
  explicit MessageBar(QWidget *parent = nullptr);

  void showMessage(const QString &text);
  [[nodiscard]] QString text() const;

private:
  QLabel *m_label;
};

} // namespace jitscope::ui
