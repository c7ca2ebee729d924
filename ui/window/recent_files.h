// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace jitscope::ui {

/// Whether a name is that of a graph script; anything else is taken for a session.
[[nodiscard]] bool isScript(const QString &path);

/// What was opened, the latest first, as far as it still exists.
struct RecentFiles {
  QStringList sessions;
  QStringList scripts;
};

[[nodiscard]] RecentFiles recentFiles();
/// Notes that a session or a script was opened. Of either kind the latest twelve are kept.
void addRecentFile(const QString &path);
/// Forgets all of them.
void clearRecentFiles();

} // namespace jitscope::ui
