// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/recent_files.h"

#include <QFileInfo>
#include <QSettings>

#include <array>

namespace jitscope::ui {

namespace {

constexpr qsizetype kMaxOfAKind = 12;
const QString kKey = QStringLiteral("files/recent");

} // namespace

bool isScript(const QString &path) { return path.endsWith(QLatin1String(".lua"), Qt::CaseInsensitive); }

RecentFiles recentFiles() {
  RecentFiles recent;
  const QStringList files = QSettings().value(kKey).toStringList();
  for (const QString &path : files) {
    if (QFileInfo::exists(path)) {
      (isScript(path) ? recent.scripts : recent.sessions) << path;
    }
  }
  return recent;
}

void addRecentFile(const QString &path) {
  QStringList files = QSettings().value(kKey).toStringList();
  const QString absolute = QFileInfo(path).absoluteFilePath();
  files.removeAll(absolute);
  files.prepend(absolute);
  // Of each kind for itself: many runs do not push the scripts out that they are runs of.
  std::array<qsizetype, 2> kept{};
  files.removeIf([&kept](const QString &file) { return kept.at(isScript(file) ? 1 : 0)++ >= kMaxOfAKind; });
  QSettings().setValue(kKey, files);
}

void clearRecentFiles() { QSettings().remove(kKey); }

} // namespace jitscope::ui
