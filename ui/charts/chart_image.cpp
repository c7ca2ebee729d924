// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_image.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QEvent>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QtCharts/QChart>

#include <fmt/format.h>

namespace jitscope::charts {

namespace {

QRectF areaOf(const QGraphicsScene &scene) { return scene.sceneRect().toAlignedRect(); }

std::unexpected<base::Error> cannotDraw(const char *format) {
  return base::fail(base::ErrorCode::Internal, fmt::format("the chart cannot be drawn as {}", format));
}

} // namespace

base::Result<QByteArray> sceneAsSvg(QGraphicsScene &scene) {
  const QRectF area = areaOf(scene);
  QBuffer buffer;
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(area.size().toSize());
  generator.setViewBox(QRectF(QPointF(0, 0), area.size()));
  generator.setTitle(QStringLiteral("Jitscope"));
  // The resolution at which a point is as large as on the screen.
  generator.setResolution(96);
  QPainter painter;
  if (!painter.begin(&generator)) {
    return cannotDraw("SVG");
  }
  painter.setRenderHint(QPainter::Antialiasing);
  scene.render(&painter, QRectF(QPointF(0, 0), area.size()), area);
  painter.end();
  return buffer.data();
}

base::Result<QByteArray> sceneAsPng(QGraphicsScene &scene, qreal scale) {
  const QRectF area = areaOf(scene);
  QImage image((area.size() * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(scale);
  image.fill(Qt::transparent);
  QPainter painter;
  if (image.isNull() || !painter.begin(&image)) {
    return cannotDraw("PNG");
  }
  painter.setRenderHint(QPainter::Antialiasing);
  scene.render(&painter, QRectF(QPointF(0, 0), area.size()), area);
  painter.end();
  QBuffer buffer;
  if (!image.save(&buffer, "PNG")) {
    return cannotDraw("PNG");
  }
  return buffer.data();
}

base::Result<QByteArray> sceneAsPdf(QGraphicsScene &scene) {
  const QRectF area = areaOf(scene);
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setCreator(QStringLiteral("Jitscope"));
  writer.setResolution(96);
  writer.setPageMargins(QMarginsF());
  // A pixel of a screen is three quarters of a point.
  writer.setPageSize(QPageSize(area.size() * 0.75, QPageSize::Point, QString(), QPageSize::ExactMatch));
  QPainter painter;
  if (!painter.begin(&writer)) {
    return cannotDraw("PDF");
  }
  painter.setRenderHint(QPainter::Antialiasing);
  scene.render(&painter, QRectF(QPointF(0, 0), area.size()), area);
  painter.end();
  return buffer.data();
}

base::Result<QByteArray> chartAsSvg(std::unique_ptr<QChart> chart, QSizeF size) {
  QGraphicsScene scene(QRectF(QPointF(0, 0), size));
  chart->resize(size);
  QChart *shown = chart.release();
  scene.addItem(shown);
  // Where an event loop runs this comes by itself; without, axes would stay where they were before the size was known.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  shown->layout()->activate();
  return sceneAsSvg(scene);
}

base::Result<QByteArray> sceneForFile(QGraphicsScene &scene, const QString &path) {
  if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
    return sceneAsSvg(scene);
  }
  if (path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
    return sceneAsPng(scene);
  }
  if (path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
    return sceneAsPdf(scene);
  }
  return base::fail(base::ErrorCode::RuntimeOption, fmt::format("\"{}\" must end in .svg, .png or .pdf", path.toStdString()));
}

} // namespace jitscope::charts
