// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui_fixture.h"
#include "ui/widgets/theme.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QRadioButton>

#include <algorithm>
#include <cmath>

using namespace jitscope;

namespace {

/// Relative luminance and contrast as WCAG 2.1 defines them; 3 is what it asks of things that are no text.
double luminance(const QColor &colour) {
  const auto part = [](double value) { return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); };
  return 0.2126 * part(colour.redF()) + 0.7152 * part(colour.greenF()) + 0.0722 * part(colour.blueF());
}
double contrast(const QColor &a, const QColor &b) {
  const double first = luminance(a);
  const double second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

} // namespace

class TestTheme : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void outlinesStandOutFromTheWindow_data() {
    QTest::addColumn<int>("choice");
    QTest::addColumn<QString>("kind");
    for (const auto &[name, choice] : {std::pair("light", ui::Theme::Choice::Light), std::pair("dark", ui::Theme::Choice::Dark)}) {
      for (const char *kind : {"check box", "radio button", "field"}) {
        QTest::addRow("%s, %s", kind, name) << static_cast<int>(choice) << QString::fromLatin1(kind);
      }
    }
  }
  void outlinesStandOutFromTheWindow() {
    QFETCH(int, choice);
    QFETCH(QString, kind);
    ui::Theme theme;
    theme.choose(static_cast<ui::Theme::Choice>(choice));
    QWidget window;
    window.resize(120, 40);
    QWidget *widget = nullptr;
    if (kind == "field") {
      widget = new QLineEdit(&window);
    } else {
      widget = kind == "check box" ? static_cast<QWidget *>(new QCheckBox(&window)) : new QRadioButton(&window);
    }
    widget->setGeometry(10, 5, 100, 30);
    const QImage image = window.grab().toImage();
    const QColor ground = image.pixelColor(2, 2);
    // From the left along the middle: the outline is what is met first.
    double most = 0;
    for (int x = 10; x < 16; ++x) {
      most = std::max(most, contrast(image.pixelColor(x, 20), ground));
    }
    QVERIFY2(most >= 3, qPrintable(QString::number(most)));
  }

private:
  test::GuiSandbox m_sandbox;
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
