// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/script/find_program.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>

namespace jitscope::ui {

QString programFolder() { return QCoreApplication::applicationDirPath(); }

QString findProgram(const QString &name, const QString &folder) {
  const QFileInfo inFolder(folder + QLatin1Char('/') + name);
  return inFolder.isFile() && inFolder.isExecutable() ? inFolder.filePath() : QStandardPaths::findExecutable(name);
}

} // namespace jitscope::ui
