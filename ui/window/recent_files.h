// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace jitscope::ui {

/// Sessions and scripts that were opened, the latest first, those that still exist.
[[nodiscard]] QStringList recentFiles();
void addRecentFile(const QString &path);
void clearRecentFiles();

} // namespace jitscope::ui
