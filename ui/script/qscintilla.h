// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

// QScintilla's headers use the keywords of Qt that are off everywhere else (QT_NO_KEYWORDS).
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscilexerlua.h>
#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>
#include <Qsci/qscistyledtext.h>
#undef slots
#undef signals
