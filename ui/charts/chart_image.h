// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <QByteArray>
#include <QSizeF>
#include <QString>

class QGraphicsScene;

QT_BEGIN_NAMESPACE
class QChart;
QT_END_NAMESPACE

/// Charts as files. Needs a QGuiApplication, and no screen: the platform "offscreen" will do.
namespace jitscope::charts {

/// What is on a scene as one SVG document, PNG (at twice the size in pixels) or one-page PDF.
[[nodiscard]] base::Result<QByteArray> sceneAsSvg(QGraphicsScene &scene);
[[nodiscard]] base::Result<QByteArray> sceneAsPng(QGraphicsScene &scene, qreal scale = 2);
[[nodiscard]] base::Result<QByteArray> sceneAsPdf(QGraphicsScene &scene);

/// The same for a chart that is on no scene, laid out at `size`.
[[nodiscard]] base::Result<QByteArray> chartAsSvg(std::unique_ptr<QChart> chart, QSizeF size);

/// In the format that the name of a file ends in: ".svg", ".png" or ".pdf". RuntimeOption for another ending.
[[nodiscard]] base::Result<QByteArray> sceneForFile(QGraphicsScene &scene, const QString &path);

} // namespace jitscope::charts
