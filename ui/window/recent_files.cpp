// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace jitscope::ui {

namespace {

constexpr int kMost = 12;
const QString kKey = QStringLiteral("files/recent");

} // namespace

QStringList recentFiles() {
  QStringList files = QSettings().value(kKey).toStringList();
  files.removeIf([](const QString &path) { return !QFileInfo::exists(path); });
  return files;
}

void addRecentFile(const QString &path) {
  QStringList files = QSettings().value(kKey).toStringList();
  const QString absolute = QFileInfo(path).absoluteFilePath();
  files.removeAll(absolute);
  files.prepend(absolute);
  QSettings().setValue(kKey, files.mid(0, kMost));
}

void clearRecentFiles() { QSettings().remove(kKey); }

} // namespace jitscope::ui
