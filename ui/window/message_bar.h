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

  /// What went wrong, or has to be known; of a page, or of all without one.
  void showMessage(const QString &text, const QWidget *page = nullptr);
  /// What went well.
  void showNews(const QString &text, const QWidget *page);
  /// Hides what is about another page than the one that is shown from now on.
  void showPage(const QWidget *page);
  /// Hides what is not about this page.
  void hideUnlessAbout(const QWidget *page);
  [[nodiscard]] QString text() const;

private:
  void show(const QString &text, const QWidget *page, int icon);

  const QWidget *m_page = nullptr; ///< that the message is about; null for all
  QLabel *m_icon;
  QLabel *m_label;
};

} // namespace jitscope::ui
