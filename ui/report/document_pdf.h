// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <QByteArray>

class QTextBlock;
class QTextDocument;

namespace jitscope::report {
struct Document;
}

namespace jitscope::charts {

/// A report as PDF: A4 with numbered pages, text as text, figures (which must be SVG that Qt reads: `Medium::Paper`) as vectors.
/// Headings stay with what they are the heading of, tables repeat their titles. Needs a QGuiApplication. Internal where it cannot
/// be drawn.
[[nodiscard]] base::Result<QByteArray> documentPdf(const report::Document &report);

/// Writes a report into an empty document that knows the size of its pages and the device that they are for.
void layOutReport(QTextDocument &document, const report::Document &report);
/// The page, counted from 0, on which the first line of a block stands.
[[nodiscard]] int pageOf(const QTextDocument &document, const QTextBlock &block);

} // namespace jitscope::charts
