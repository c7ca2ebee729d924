// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/store/session_overviews.h"

#include <QDateTime>
#include <QHash>

class QLabel;
class QListWidget;

namespace jitscope::ui {

/// What to begin with, and what the open session is about.
class StartPage : public Page {
  Q_OBJECT

public:
  StartPage(Workspace workspace, QWidget *parent);

  [[nodiscard]] QString hint() const override;

Q_SIGNALS:
  void openWanted(const QString &path);
  void dialogWanted();

protected:
  void refresh() override;
  void clear() override;
  void recolour() override { fillLists(); }
  void showEvent(QShowEvent *event) override;

private:
  /// What is known of a session as it was at a time.
  struct Known {
    QDateTime changed;
    QString text;
  };

  void fillLists();
  /// Adds to a recent session what it holds, as soon as that is known.
  void describeSession(const QString &path);
  void showKnown(const QString &path);

  SessionOverviews m_overviews;
  QHash<QString, Known> m_known;
  QLabel *m_session;
  QListWidget *m_recent;
  QListWidget *m_examples;
};

} // namespace jitscope::ui
