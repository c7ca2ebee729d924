// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace jitscope::charts {

/// A text of a chart in the user's language.
inline QString words(const char *text) { return QCoreApplication::translate("charts", text); }

} // namespace jitscope::charts
