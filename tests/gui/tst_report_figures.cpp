// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of reports: what becomes of a drawing on its way to a page, and what is drawn of a session.
#include <QtTest>

#include "analysis/summary.h"
#include "report/document/document.h"
#include "report/document/session_document.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/studied_session.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/chart_image.h"
#include "ui/report/document_pdf.h"
#include "ui/report/figure_svg.h"
#include "ui/report/report_charts.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QFontMetricsF>
#include <QGraphicsScene>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextDocument>
#include <QtCharts/QBarCategoryAxis>

#include <set>

using namespace jitscope;
using charts::figureSvg;

namespace {

/// As Qt begins and ends what it draws.
QByteArray drawing(const QByteArray &content) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<svg width=\"10mm\" height=\"10mm\" viewBox=\"0 0 100 50\" "
         "xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.2\" baseProfile=\"tiny\">\n"
         "<title>Jitscope</title>\n<desc>Generated with Qt</desc>\n<defs>\n</defs>\n<g fill=\"none\" stroke=\"black\" "
         "stroke-width=\"1\" "
         "fill-rule=\"evenodd\" stroke-linecap=\"square\" stroke-linejoin=\"bevel\" >\n" +
         content + "</g>\n</svg>\n";
}

QByteArray tidied(const QByteArray &light, const QByteArray &dark) {
  const base::Result<std::string> svg = figureSvg(drawing(light), drawing(dark), {"f1", "A \"label\" & more"});
  return svg ? QByteArray::fromStdString(*svg) : QByteArray::fromStdString("error: " + svg.error().message);
}
QByteArray tidied(const QByteArray &content) { return tidied(content, content); }

QImage imageOf(const QByteArray &svg) {
  QSvgRenderer renderer(svg);
  QImage image(400, 260, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  renderer.render(&painter);
  return image;
}

std::unique_ptr<QChart> someBars() {
  charts::BarChart data;
  data.parts = {{"a", Qt::red}, {"b", Qt::blue}};
  data.bars = {{"first", {3e6, 1e6}}, {"second", {1e6, 2e6}}, {"second", {5e5, 0}}};
  return charts::barChart(data, charts::Palette::of(charts::Scheme::Light));
}

/// A session with everything that is drawn, and its summary.
struct Sample {
  QTemporaryDir folder;
  std::unique_ptr<session::SessionReader> reader;
  analysis::Summary summary;

  void open() {
    const std::string path = folder.filePath("s.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, test::studiedRecording()));
    auto opened = session::SessionReader::open(path);
    JS_VERIFY_RESULT(opened);
    reader = *std::move(opened);
    auto read = analysis::summarize(*reader);
    JS_VERIFY_RESULT(read);
    summary = *std::move(read);
  }
};

} // namespace

class TestReportFigures : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void theLegendOfNarrowBarsIsWhole() {
    charts::BarChart data;
    for (const char *name : {"trace", "lower", "optimize", "codegen", "link", "between", "new-function", "static-value"}) {
      data.parts.append({QString::fromLatin1(name), Qt::red});
    }
    data.bars = {{"a name that is much too long for a bar in a narrow drawing", std::vector<double>(8, 1e8)}};
    const charts::Palette palette = charts::Palette::of(charts::Scheme::Light);
    QCOMPARE(charts::legendLines(data.parts, 2000), 1);
    QVERIFY(charts::legendLines(data.parts, 360) > 1);
    const double height = 86 + charts::kLegendLineHeight * charts::legendLines(data.parts, 360);
    const auto svg = charts::chartAsSvg(charts::barChart(data, palette), {360, height});
    JS_VERIFY_RESULT(svg);
    for (const charts::LegendEntry &entry : data.parts) {
      QVERIFY2(svg->contains(">" + entry.name.toUtf8() + "</text>"), qPrintable(entry.name));
    }
    // Neither the legend nor long names push anything out: all that has a place has it within the drawing.
    static const QRegularExpression place("matrix\\(1,0,0,1,([-0-9.e]+),([-0-9.e]+)\\)");
    for (auto it = place.globalMatch(QString::fromUtf8(*svg)); it.hasNext();) {
      const QRegularExpressionMatch match = it.next();
      QVERIFY2(match.captured(1).toDouble() < 360 && match.captured(2).toDouble() < height - 10, qPrintable(match.captured()));
      QVERIFY2(match.captured(1).toDouble() > -10, qPrintable(match.captured()));
    }
  }

  void theNamesOfNarrowBarsKeepTheirBeginning() {
    charts::BarChart data;
    data.parts = {{"a", Qt::red}};
    data.bars = {{"Matmul.dot f32[256,256], f32[256,256]", {3e6}}, {"Matmul.dot f32[512,512], f32[512,512]", {1e6}}};
    QGraphicsScene scene;
    auto *chart = charts::barChart(data, charts::Palette::of(charts::Scheme::Light)).release();
    scene.addItem(chart);
    chart->resize(350, 300);
    QCoreApplication::processEvents();
    auto *names = qobject_cast<QBarCategoryAxis *>(chart->axes(Qt::Vertical).first());
    QVERIFY(names != nullptr);
    const QFontMetricsF metrics(QGuiApplication::font());
    const QStringList shown = names->categories();
    for (const QString &name : shown) {
      QVERIFY2(name.startsWith("Matmul"), qPrintable(name));
      QVERIFY2(metrics.horizontalAdvance(name) + chart->margins().left() <= chart->plotArea().left(), qPrintable(name));
    }
  }

  void coloursFollowTheReader() {
    const QByteArray svg =
        tidied("<rect fill=\"#ffffff\" x=\"0\" y=\"0\" width=\"5\" height=\"5\"/><rect fill=\"#123456\" x=\"9\" y=\"0\" "
               "width=\"5\" height=\"5\"/>",
               "<rect fill=\"#16191d\" x=\"0\" y=\"0\" width=\"5\" height=\"5\"/><rect fill=\"#123456\" x=\"9\" y=\"0\" "
               "width=\"5\" height=\"5\"/>");
    QVERIFY2(svg.contains("#f1{--c0:#ffffff;}@media screen and (prefers-color-scheme:dark){#f1{--c0:#16191d;}}"), svg);
    QVERIFY2(svg.contains("fill=\"var(--c0,#ffffff)\""), svg);
    QVERIFY2(svg.contains("fill=\"#123456\""), svg);
  }

  void drawingsThatAreNotTheSameAreRefused_data() {
    QTest::addColumn<QByteArray>("dark");
    QTest::newRow("another shape") << QByteArray("<circle fill=\"#000000\" x=\"1\"/>");
    QTest::newRow("another place") << QByteArray("<rect fill=\"#000000\" x=\"2\"/>");
    QTest::newRow("one more") << QByteArray("<rect fill=\"#000000\" x=\"1\"/><rect/>");
    QTest::newRow("no colour") << QByteArray("<rect fill=\"none\" x=\"1\"/>");
    QTest::newRow("no drawing") << QByteArray("</g></svg>");
  }
  void drawingsThatAreNotTheSameAreRefused() {
    QFETCH(QByteArray, dark);
    QVERIFY(tidied("<rect fill=\"#ffffff\" x=\"1\"/>", dark).startsWith("error: "));
  }

  void theElementStandsByItself() {
    const QByteArray svg = tidied("<rect id=\"a\" fill=\"url(#a)\" x=\"1.2345\" y=\"1e-9\" width=\"5\" height=\"5\"/>");
    QVERIFY2(svg.startsWith(
                 "<svg id=\"f1\" role=\"img\" aria-label=\"A &quot;label&quot; &amp; more\" viewBox=\"0 0 100 50\" width=\"100\""),
             svg);
    QVERIFY2(svg.contains("<rect id=\"f1-a\" fill=\"url(#f1-a)\" x=\"1.2\" y=\"0\""), svg);
    for (const char *unwanted : {"http", "xmlns", "<title", "<desc", "<defs", "<?xml"}) {
      QVERIFY2(!svg.contains(unwanted), svg);
    }
  }

  void linesInARowAreOne() {
    const QByteArray svg = tidied("<g stroke=\"#ff0000\"><polyline fill=\"none\" points=\"0,0 1.04,0 \"/></g><g stroke=\"#ff0000\">"
                                  "<polyline fill=\"none\" points=\"1.04,0 2,1 \"/><polyline fill=\"none\" points=\"5,5 6,6 \"/>"
                                  "<polyline fill=\"none\" points=\"5,5 6,6 \"/></g>");
    QVERIFY2(svg.contains("<g stroke=\"#ff0000\"><path d=\"M0,0 1,0 2,1M5,5 6,6\"/></g>"), svg);
  }

  void shapesThatOccurOftenAreDefinedOnce() {
    QByteArray marks;
    for (int i = 0; i < 6; ++i) {
      marks +=
          QString("<path d=\"M%1,2.05 C%2,3 %3,4 %1,2.05 \"/>").arg(i * 10 + 0.33).arg(i * 10 + 1.33).arg(i * 10 + 2.33).toUtf8();
    }
    const QByteArray svg = tidied(marks + "<path d=\"M50,50 C51,51 52,52 53,53\"/>");
    QCOMPARE(svg.count("<use href=\"#f1-s1\""), 6);
    QCOMPARE(svg.count("<path id=\"f1-s1\" d=\"M0,0 C1,1"), 1);
    QCOMPARE(svg.count("<path "), 2); // the definition, and the shape that occurs once
  }

  void textKeepsItsWidthAndNotItsFont() {
    const QByteArray svg =
        tidied("<g font-family=\"Sans\" font-size=\"9\"><text fill=\"#000000\" stroke=\"none\" xml:space=\"preserve\" "
               "x=\"1\" y=\"2\" font-family=\"Sans\" font-size=\"12\" font-weight=\"400\" font-style=\"normal\" >"
               "a &lt; b</text></g>");
    QVERIFY2(QString::fromUtf8(svg).contains(
                 QRegularExpression("<text [^>]*textLength=\"[0-9.]+\" lengthAdjust=\"spacingAndGlyphs\">a &lt; b</text>")),
             svg);
    QVERIFY2(!svg.contains("font-family") && !svg.contains("font-weight"), svg);
  }

  void aTidiedDrawingLooksAsBefore() {
    const base::Result<QByteArray> plain = charts::chartAsSvg(someBars(), {400, 260});
    JS_VERIFY_RESULT(plain);
    const base::Result<std::string> tidy = figureSvg(*plain, *plain, {"f1", "bars"});
    JS_VERIFY_RESULT(tidy);
    QVERIFY(tidy->size() < static_cast<std::size_t>(plain->size()) / 2);
    QByteArray withNamespace = QByteArray::fromStdString(*tidy);
    withNamespace.replace("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ");
    const QImage before = imageOf(*plain);
    const QImage after = imageOf(withNamespace);
    int differing = 0;
    int coloured = 0;
    for (int y = 0; y < before.height(); ++y) {
      for (int x = 0; x < before.width(); ++x) {
        const QColor one = before.pixelColor(x, y);
        const QColor other = after.pixelColor(x, y);
        coloured += one != QColor(Qt::white) ? 1 : 0;
        differing += std::abs(one.red() - other.red()) + std::abs(one.blue() - other.blue()) > 60 ? 1 : 0;
      }
    }
    QVERIFY2(coloured > 5000, qPrintable(QString::number(coloured)));
    // Texts are in another font.
    QVERIFY2(differing < 1500, qPrintable(QString::number(differing)));
  }

  void everyPlaceOfASessionIsDrawn() {
    Sample sample;
    sample.open();
    const auto figures = charts::ReportCharts::draw(*sample.reader, sample.summary, charts::Medium::Page);
    JS_VERIFY_RESULT(figures);
    using report::ChartPlace;
    std::set<QString> ids;
    for (const ChartPlace place : {ChartPlace::Outcomes, ChartPlace::CompilePhases, ChartPlace::Misses, ChartPlace::Templates,
                                   ChartPlace::Benchmarks, ChartPlace::Remarks, ChartPlace::Redundancy}) {
      const std::vector<report::DocumentFigure> drawn = figures->figuresFor(place, sample.summary);
      QVERIFY2(!drawn.empty(), qPrintable(QString::number(static_cast<int>(place))));
      for (const report::DocumentFigure &figure : drawn) {
        QVERIFY(!figure.caption.empty());
        for (const std::string &svg : {figure.svg, figure.narrowSvg}) {
          for (auto it = QRegularExpression(" id=\"([^\"]+)\"").globalMatch(QString::fromStdString(svg)); it.hasNext();) {
            QVERIFY(ids.insert(it.next().captured(1)).second);
          }
        }
      }
    }
    QVERIFY(ids.size() > 14);
  }

  void anEmptySessionHasNoFigures() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("s.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, test::Recording()));
    const auto reader = session::SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    const auto summary = analysis::summarize(**reader);
    JS_VERIFY_RESULT(summary);
    const auto figures = charts::ReportCharts::draw(**reader, *summary, charts::Medium::Page);
    JS_VERIFY_RESULT(figures);
    for (int place = 0; place <= static_cast<int>(report::ChartPlace::Redundancy); ++place) {
      QVERIFY(figures->figuresFor(static_cast<report::ChartPlace>(place), *summary).empty());
    }
    const auto pdf = charts::documentPdf(report::sessionDocument(*summary));
    JS_VERIFY_RESULT(pdf);
    QCOMPARE(pdf->count("/Type /Page\n"), 1);
  }

  void noHeadingEndsAPage_data() {
    QTest::addColumn<QString>("below");
    for (const char *below : {"text", "table", "figure", "table with a word before"}) {
      QTest::newRow(below) << QString::fromLatin1(below);
    }
  }
  void noHeadingEndsAPage() {
    QFETCH(QString, below);
    report::DocumentTable table;
    table.columns = {{"Title"}};
    table.rows = {{report::DocumentCell("content")}, {report::DocumentCell("more")}};
    report::DocumentSection section{"Section", {report::DocumentHeading{"Heading"}}, false};
    if (below == "figure") {
      section.blocks.emplace_back(report::DocumentFigure{drawing("").toStdString(), "caption", {}});
    } else if (below == "text") {
      section.blocks.emplace_back(report::DocumentText{"content", report::Tone::Plain});
    } else {
      if (below != "table") {
        section.blocks.emplace_back(report::DocumentText{"how it was measured", report::Tone::Dim});
      }
      section.blocks.emplace_back(table);
    }
    QBuffer buffer;
    QVERIFY(buffer.open(QIODevice::WriteOnly));
    QPdfWriter writer(&buffer);
    writer.setResolution(600);
    std::set<int> pagesOfHeadings;
    // However much of the first page is taken.
    for (int lines = 30; lines < 80; ++lines) {
      report::Document report;
      report.title = "Report";
      report.sections.push_back({"Before", {}, false});
      for (int i = 0; i < lines; ++i) {
        report.sections.back().blocks.emplace_back(report::DocumentText{"filler", report::Tone::Plain});
      }
      report.sections.push_back(section);
      QTextDocument document;
      document.setDocumentMargin(0);
      document.documentLayout()->setPaintDevice(&writer);
      document.setPageSize(QSizeF(writer.width(), writer.height()));
      charts::layOutReport(document, report);
      std::set<int> pages;
      int seen = 0;
      for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (QStringList{"Section", "Heading", "caption", "Title", "how it was measured", "content", "\uFFFC"}.contains(
                block.text().remove(QChar(0x200b)))) {
          pages.insert(charts::pageOf(document, block));
          ++seen;
        }
      }
      QVERIFY(seen >= 3);
      QVERIFY2(pages.size() == 1, qPrintable(QStringLiteral("after %1 lines").arg(lines)));
      pagesOfHeadings.merge(pages);
    }
    // Both were met: a page with room for it, and one without.
    QCOMPARE(pagesOfHeadings, (std::set<int>{0, 1}));
  }

  void aPdfHasAsManyPagesAsItNeeds() {
    Sample sample;
    sample.open();
    sample.summary.session.info.scriptText = QString("local x = 1\n").repeated(400).toStdString();
    const auto figures = charts::ReportCharts::draw(*sample.reader, sample.summary, charts::Medium::Paper);
    JS_VERIFY_RESULT(figures);
    report::SessionDocumentOptions options;
    options.charts = &*figures;
    const auto pdf = charts::documentPdf(report::sessionDocument(sample.summary, options));
    JS_VERIFY_RESULT(pdf);
    QVERIFY(pdf->startsWith("%PDF-1."));
    QVERIFY(pdf->trimmed().endsWith("%%EOF"));
    // 400 lines of 7 points with their spacing take four to six pages, the figures two to four.
    const auto pages = pdf->count("/Type /Page\n");
    QVERIFY2(pages >= 6 && pages <= 12, qPrintable(QString::number(pages)));
    QVERIFY(!pdf->contains("/Subtype /Image"));
  }
};

QTEST_MAIN(TestReportFigures)
#include "tst_report_figures.moc"
