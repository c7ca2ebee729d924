// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/contrast.h"
#include "support/gui/gui_fixture.h"
#include "ui/widgets/layout/theme.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QRadioButton>

#include <algorithm>

using namespace jitscope;

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
      most = std::max(most, test::contrast(image.pixelColor(x, 20), ground));
    }
    QVERIFY2(most >= 3, qPrintable(QString::number(most)));
  }

  void whatHasTheFocusHasAFrameThatIsSeen_data() {
    QTest::addColumn<int>("choice");
    QTest::addColumn<QString>("kind");
    for (const auto &[name, choice] : {std::pair("light", ui::Theme::Choice::Light), std::pair("dark", ui::Theme::Choice::Dark)}) {
      for (const char *kind : {"list", "text", "field"}) {
        QTest::addRow("%s, %s", kind, name) << static_cast<int>(choice) << QString::fromLatin1(kind);
      }
    }
  }
  void whatHasTheFocusHasAFrameThatIsSeen() {
    QFETCH(int, choice);
    QFETCH(QString, kind);
    ui::Theme theme;
    theme.choose(static_cast<ui::Theme::Choice>(choice));
    QWidget window;
    window.resize(240, 60);
    const auto make = [&kind, &window]() -> QWidget * {
      if (kind == "field") {
        return new QLineEdit(&window);
      }
      if (kind == "text") {
        return new QPlainTextEdit(&window);
      }
      return new QListWidget(&window);
    };
    QWidget *focused = make();
    focused->setGeometry(10, 5, 100, 50);
    QWidget *other = make();
    other->setGeometry(130, 5, 100, 50);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    focused->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(focused->hasFocus(), test::kPatienceMs);
    const QImage image = window.grab().toImage();
    const QColor accent = window.palette().color(QPalette::Link);
    // A frame two wide, in the accent's colour, which stands out from the inside; around the other one none.
    for (const int x : {0, 1}) {
      QCOMPARE(image.pixelColor(10 + x, 30), accent);
      QVERIFY(image.pixelColor(130 + x, 30) != accent);
    }
    QVERIFY(test::contrast(accent, image.pixelColor(10 + 50, 45)) >= 3);
  }

private:
  test::GuiSandbox m_sandbox;
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
