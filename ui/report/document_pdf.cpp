// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/document_pdf.h"

#include "report/document/document.h"
#include "report/render/display_text.h"
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
#include <QTextTable>

#include <cmath>
#include <set>

namespace jitscope::charts {

namespace {

constexpr int kDotsPerInch = 600;
constexpr qreal kMarginMm = 14;
constexpr qreal kFooterPoints = 22;

qreal dots(qreal points) { return points * kDotsPerInch / 72; }

/// The first block of what a heading is about: behind headings of its own, and in a table the first row below the titles, since
/// titles alone say as little as a heading.
QTextBlock contentBelow(const QTextBlock &heading, const std::set<int> &headings) {
  QTextBlock block = heading.next();
  while (block.isValid() && headings.contains(block.position())) {
    block = block.next();
  }
  if (!block.isValid()) {
    return block;
  }
  const QTextTable *table = QTextCursor(block).currentTable();
  return table != nullptr && table->rows() > 1 ? table->cellAt(1, 0).firstCursorPosition().block() : block;
}

/// Moves headings to the next page whose text begins there.
void keepWithNext(QTextDocument &document, const std::vector<int> &positions) {
  const std::set<int> headings(positions.begin(), positions.end());
  // From the first to the last, as each move shifts what comes behind it.
  for (const int position : positions) {
    const QTextBlock block = document.findBlock(position);
    const QTextBlock content = contentBelow(block, headings);
    const int page = pageOf(document, block);
    if (!content.isValid() || page == pageOf(document, content)) {
      continue;
    }
    QTextCursor cursor(block);
    QTextBlockFormat format = block.blockFormat();
    format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
    cursor.setBlockFormat(format);
  }
}

/// Of a table that ends with its page, except for the margin below it, Qt takes the next page for one of its pages as well, and
/// draws its titles there once more.
void endTablesWithTheirPage(QTextDocument &document) {
  const qreal height = document.pageSize().height();
  const QList<QTextFrame *> frames = document.rootFrame()->childFrames();
  for (QTextFrame *frame : frames) {
    auto *table = qobject_cast<QTextTable *>(frame);
    if (table == nullptr) {
      continue;
    }
    const qreal end = document.documentLayout()->frameBoundingRect(table).bottom();
    QTextTableFormat format = table->format();
    if (std::floor(end / height) > std::floor((end - dots(format.bottomMargin())) / height)) {
      format.setBottomMargin(0);
      table->setFormat(format);
    }
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

int pageOf(const QTextDocument &document, const QTextBlock &block) {
  qreal top = document.documentLayout()->blockBoundingRect(block).top();
  // A line that does not fit stands on the next page, though its block begins on this one.
  top += block.layout()->lineCount() > 0 ? block.layout()->lineAt(0).y() : 0;
  return static_cast<int>(std::floor((top + dots(1)) / document.pageSize().height()));
}

void layOutReport(QTextDocument &document, const report::Document &report) {
  document.documentLayout()->registerHandler(FigureObject::kType, new FigureObject(&document));
  PaperText text(document);
  text.write(report);
  keepWithNext(document, text.headings());
  endTablesWithTheirPage(document);
  // What follows such a table has moved up.
  keepWithNext(document, text.headings());
}

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
  document.setPageSize(QSizeF(writer.width(), writer.height() - dots(kFooterPoints)));
  layOutReport(document, report);

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
