// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace jitscope::ui {

/// Writes a file that appears whole or not at all: on a full disk, or in a folder that cannot be written, what was there stays, and
/// the error says why. Behind a link the file is written and the link stays; permissions stay, too. Folders, pipes, devices and
/// sessions are refused.
[[nodiscard]] base::Result<void> writeFile(const QString &path, const QByteArray &bytes);

/// Copies a session that nobody is recording, in the same way; other sessions may be replaced, unless they are being recorded.
[[nodiscard]] base::Result<void> copySession(const QString &source, const QString &path);

/// Asks where to save something, adds the ending that the chosen filter names if there is none, lets `save` write it, and says
/// what went wrong. Begins in the folder that was used last.
void saveWithDialog(QWidget *parent, const QString &title, const QString &suggestedName, const QStringList &filters,
                    const std::function<base::Result<void>(const QString &)> &save);

} // namespace jitscope::ui
