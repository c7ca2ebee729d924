// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;

namespace jitscope::ui {

/// A message above the page that stays until the user closes it. Unlike a dialog it does not block anything.
class MessageBar : public QFrame {
  Q_OBJECT

public:
  explicit MessageBar(QWidget *parent = nullptr);

  /// Shows a problem or a notice about `page`, or about all pages without one.
  void showMessage(const QString &text, const QWidget *page = nullptr);
  /// Shows a success.
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
