// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/query/selection.h"
#include "base/error.h"

#include <QObject>
#include <QString>
#include <QStringList>

namespace jitscope::ui {

class SessionStore;

/// Writes reports of the session that is open. Those with drawings are made by the program jitscope-charts in a process of its own,
/// the others by a thread of the store: the window stays free.
class ReportExport : public QObject {
  Q_OBJECT

public:
  explicit ReportExport(SessionStore &store, QObject *parent = nullptr);

  /// One for each format, as file dialogs take them.
  [[nodiscard]] static QStringList fileFilters();
  /// Where the program that draws is looked for first; by default beside this one.
  void setFolder(const QString &folder) { m_folder = folder; }

  /// Begins a report of what is selected, in the format that the file's ending names; `ended` tells the rest. RuntimeOption for an
  /// ending that is no format's.
  [[nodiscard]] base::Result<void> write(const QString &path, const analysis::Selection &selection);

Q_SIGNALS:
  /// Drawing takes a while: what is being done, for people.
  void began(const QString &message);
  /// The file is there, or is as it was before: what there is to say of it.
  void ended(const QString &message, bool isGood);

private:
  void writePlain(const QString &path, const std::string &format, const analysis::Selection &selection, const QString &remark);
  void writeDrawn(const QString &program, const QString &path, const std::string &format, const analysis::Selection &selection);

  SessionStore &m_store;
  QString m_folder;
};

} // namespace jitscope::ui
