// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/document_pdf.h"

#include "report/display_text.h"
#include "report/document.h"
#include "ui/charts/chart_words.h"
#include "ui/report/paper_text.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextLayout>

#include <cmath>

namespace jitscope::charts {

namespace {

constexpr int kDotsPerInch = 600;
constexpr qreal kMarginMm = 14;
constexpr qreal kFooterPoints = 22;

qreal dots(qreal points) { return points * kDotsPerInch / 72; }

/// The page, counted from 0, on which the first line of a block stands.
int pageOf(const QTextDocument &document, const QTextBlock &block) {
  qreal top = document.documentLayout()->blockBoundingRect(block).top();
  // A line that does not fit stands on the next page, though its block begins on this one.
  top += block.layout()->lineCount() > 0 ? block.layout()->lineAt(0).y() : 0;
  return static_cast<int>(std::floor((top + dots(1)) / document.pageSize().height()));
}

/// Moves headings to the next page whose text begins there.
void keepWithNext(QTextDocument &document, const std::vector<int> &headings) {
  for (const int position : headings) {
    const QTextBlock block = document.findBlock(position);
    QTextBlock next = block.next();
    if (!next.isValid() || pageOf(document, block) == pageOf(document, next)) {
      continue;
    }
    QTextCursor cursor(block);
    QTextBlockFormat format = block.blockFormat();
    format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
    cursor.setBlockFormat(format);
  }
}

void drawPage(QPainter &painter, QTextDocument &document, int page, int pages, const QString &title) {
  const QSizeF size = document.pageSize();
  const QRectF view(0, page * size.height(), size.width(), size.height());
  painter.save();
  painter.translate(0, -view.top());
  painter.setClipRect(view);
  QAbstractTextDocumentLayout::PaintContext context;
  context.clip = view;
  context.palette.setColor(QPalette::Text, Qt::black);
  document.documentLayout()->draw(&painter, context);
  painter.restore();
  QFont font = document.defaultFont();
  font.setPointSizeF(7.5);
  painter.setFont(font);
  painter.setPen(QColor(0x55, 0x55, 0x55));
  const QRectF footer(0, size.height(), size.width(), dots(kFooterPoints));
  const QString number = words("page %1 of %2").arg(page + 1).arg(pages);
  painter.drawText(footer, Qt::AlignRight | Qt::AlignBottom, number);
  painter.drawText(footer, Qt::AlignLeft | Qt::AlignBottom, title);
}

} // namespace

base::Result<QByteArray> documentPdf(const report::Document &report) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  const QString title = QString::fromStdString(report::elide(report::printable(report.title), 80));
  writer.setCreator(QStringLiteral("Jitscope"));
  writer.setTitle(title);
  writer.setResolution(kDotsPerInch);
  writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Portrait,
                                   QMarginsF(kMarginMm, kMarginMm, kMarginMm, kMarginMm), QPageLayout::Millimeter));

  QTextDocument document;
  document.setUndoRedoEnabled(false);
  document.setDocumentMargin(0);
  document.documentLayout()->setPaintDevice(&writer);
  document.documentLayout()->registerHandler(FigureObject::kType, new FigureObject(&document));
  document.setPageSize(QSizeF(writer.width(), writer.height() - dots(kFooterPoints)));
  PaperText text(document);
  text.write(report);
  keepWithNext(document, text.headings());

  QPainter painter;
  if (!painter.begin(&writer)) {
    return base::fail(base::ErrorCode::Internal, "the report cannot be drawn as PDF");
  }
  const int pages = document.pageCount();
  for (int page = 0; page < pages; ++page) {
    if (page > 0) {
      writer.newPage();
    }
    drawPage(painter, document, page, pages, title);
  }
  painter.end();
  return buffer.data();
}

} // namespace jitscope::charts
