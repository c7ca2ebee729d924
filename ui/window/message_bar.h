// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;

namespace jitscope::ui {

/// What there is to be told, above the page, until somebody closes it. Unlike a dialog it is in nobody's way.
class MessageBar : public QFrame {
  Q_OBJECT

public:
  explicit MessageBar(QWidget *parent = nullptr);

  /// What went wrong, or has to be known.
  void showMessage(const QString &text);
  /// What went well.
  void showNews(const QString &text);
  [[nodiscard]] QString text() const;

private:
  void show(const QString &text, int icon);

  QLabel *m_icon;
  QLabel *m_label;
};

} // namespace jitscope::ui
