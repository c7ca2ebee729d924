// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace jitscope::ui {

/// Writes a file that appears whole or not at all.
[[nodiscard]] base::Result<void> writeFile(const QString &path, const QByteArray &bytes);

/// Asks where to save something, adds the ending that the chosen filter names where there is none, lets `save` write it, and says
/// what went wrong. Begins in the folder that was used last.
void saveWithDialog(QWidget *parent, const QString &title, const QString &suggestedName, const QStringList &filters,
                    const std::function<base::Result<void>(const QString &)> &save);

} // namespace jitscope::ui
