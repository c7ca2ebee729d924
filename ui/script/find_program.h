// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace jitscope::ui {

/// The folder of this program, where those that belong to it are installed.
[[nodiscard]] QString programFolder();

/// A program by its name: in `folder`, else in PATH; empty where it is in neither.
[[nodiscard]] QString findProgram(const QString &name, const QString &folder = programFolder());

} // namespace jitscope::ui
