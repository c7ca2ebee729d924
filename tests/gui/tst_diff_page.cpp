// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractItemView>

#include "support/gui/window_test.h"
#include "support/result_checks.h"
#include "support/sessions/study_samples.h"
#include "ui/diff/diff_view.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/diff/diff_sides.h"
#include "ui/widgets/layout/elided_combo_box.h"
#include "ui/widgets/tables/item_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSortFilterProxyModel>

using namespace jitscope;

/// What the page says of where its two sides come from.
class TestDiffPage : public test::WindowTest {
  Q_OBJECT

private:
  ui::DiffPage &page() { return *qobject_cast<ui::DiffPage *>(m_window->page("diff")); }
  void show(const test::Recording &recording) {
    // The window may still look into an earlier session, so that each has a name of its own.
    const QString path = m_sandbox.file(QStringLiteral("s%1.jitscope").arg(++m_sessions));
    JS_VERIFY_RESULT(test::writeSession(path.toStdString(), recording));
    QVERIFY(test::openAndSettle(*m_window, path));
    QVERIFY(test::showAndSettle(*m_window, "diff"));
  }
  /// The sample, and the same once more as another study in another section.
  static test::Recording twoStudies() {
    test::Recording recording = test::studyRecording();
    recording.events.emplace_back(event::SectionEvent{base::SectionId(2), "without SLP", 2000 * test::kMs});
    event::StudyEvent study;
    study.id = base::StudyId(2);
    study.sectionId = base::SectionId(2);
    study.functionId = test::kOuter;
    study.name = "outer";
    recording.events.emplace_back(study);
    event::CompileEvent perFunction = test::perFunctionCompile();
    event::CompileEvent deferred = test::deferredCompile();
    for (auto [compile, id] : {std::pair(&perFunction, 20U), std::pair(&deferred, 21U)}) {
      compile->id = base::CompileId(id);
      compile->studyId = base::StudyId(2);
      compile->startNs = 2000 * test::kMs + id;
      recording.events.emplace_back(*compile);
    }
    return recording;
  }

  int m_sessions = 0; ///< that were written

private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }

  void withoutAFunctionNothingIsSaidOfItsRemarks() {
    show(test::studyRecording());
    auto &remarks = *page().findChild<ui::ItemView *>("diffRemarks");
    QVERIFY(remarks.placeholder().startsWith("Both sides have the same remarks"));
    m_window->filter().setRange({0, 1});
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(remarks.placeholder(), QString());
  }

  void aVersionIsNamedByItsStudy() {
    show(test::studyRecording());
    QVERIFY2(page().left().currentText().startsWith("per-function · final  (study 1, compile 1)"),
             qPrintable(page().left().currentText()));
    // What all versions have in common is left to the tip.
    QVERIFY(!page().left().currentText().contains("i64, ptr"));
    QVERIFY2(page().left().toolTip().contains("outer_logp_wrapper (i64, ptr, ptr, ptr)"), qPrintable(page().left().toolTip()));
    QVERIFY(page().right().toolTip().contains("study 1"));
  }

  void aPassOverAModuleIsOneRowWhateverItChanged() {
    test::Recording recording = test::studyRecording();
    for (event::Event &event : recording.events) {
      if (auto *compile = std::get_if<event::CompileEvent>(&event); compile != nullptr && compile->pipeline == "deferred") {
        event::PassRun whole;
        whole.seq = 900;
        whole.name = "module-inline";
        whole.stage = event::Stage::Module;
        whole.durationNs = 175'000;
        whole.changed = true;
        event::PassRun onOuter = whole;
        onOuter.functionId = test::kOuter;
        onOuter.durationNs = 0;
        compile->optimizeNs += whole.durationNs;
        compile->totalNs += whole.durationNs;
        compile->passes.insert(compile->passes.end(), {whole, onOuter});
      }
    }
    show(recording);
    const auto *table = page().findChild<QAbstractItemView *>("diffPasses");
    QVERIFY(table);
    int rows = 0;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
      rows += table->model()->index(row, 0).data().toString() == "900" ? 1 : 0;
    }
    QCOMPARE(rows, 1);
  }

  void versionsOfTwoSectionsAreToldApart() {
    show(twoStudies());
    QVERIFY(page().right().findText("per-function · final  (study 1, compile 1)") >= 0);
    const int other = page().right().findText("per-function · final  (study 2, without SLP, compile 20)");
    QVERIFY(other >= 0);
    page().right().setCurrentIndex(other);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY2(page().right().toolTip().contains("section: without SLP"), qPrintable(page().right().toolTip()));
  }

  void thePassesSayWhoseTheyAre() {
    show(twoStudies());
    const int right = page().right().findText("deferred · final", Qt::MatchStartsWith);
    page().right().setCurrentIndex(right);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY2(page().passTitle().text().contains("right: deferred, compile 2"), qPrintable(page().passTitle().text()));
    page().right().setCurrentIndex(page().right().findText("per-function · final  (study 2", Qt::MatchStartsWith));
    QVERIFY(test::settle(m_window->store()));
    QVERIFY2(page().passTitle().text().contains("right: per-function, compile 20"), qPrintable(page().passTitle().text()));
    m_window->store().close();
    QVERIFY(page().passTitle().text().isEmpty());
  }

  void namesThatWereMadeAlikeAreSaidToBe() {
    show(test::studyRecording());
    auto *summary = page().findChild<QLabel *>("diffSummary");
    QVERIFY2(summary->text().contains("the same value on both sides"), qPrintable(summary->text()));
    page().findChild<QCheckBox *>("originalNames")->click();
    QVERIFY(test::settle(m_window->store()));
    QVERIFY2(!summary->text().contains("the same value on both sides"), qPrintable(summary->text()));
  }

  void passesThatChangeNoInstructionAreMarkedApart() {
    test::PassList list;
    list.add("module", test::kOuter, test::kOuter, "InstCombinePass", 1, 0xa1)
        .add("module", test::kOuter, test::kOuter, "PostOrderFunctionAttrsPass", 1, 0xa1)
        .add("module", test::kOuter, test::kOuter, "GVNPass", 1)
        .add("module", test::kOuter, test::kInner, "GVNPass", 1, 0xb1)
        .add("module", test::kInner, test::kOuter, "LICMPass", 1, 0xa1)
        .add("module", test::kOuter, test::kOuter, "LICMPass", 1, 0xa2);
    std::vector<session::PassRow> passes;
    for (const event::PassRun &pass : list.passes()) {
      passes.push_back({base::CompileId(1), pass});
    }
    const std::vector<ui::PassRow> rows = ui::passesOver(test::kOuter, passes, {1, 6});
    using Effect = ui::PassEffect;
    std::vector<Effect> effects;
    std::vector<std::uint32_t> kept;
    for (const ui::PassRow &row : rows) {
      effects.push_back(row.effect);
      if (row.hasText) {
        kept.push_back(row.pass.seq);
      }
    }
    // Code that another unit has is another copy, of which nothing was known before.
    QVERIFY(effects == (std::vector{Effect::Code, Effect::Rest, Effect::None, Effect::Code, Effect::Code}));
    QCOMPARE(kept, (std::vector<std::uint32_t>{1, 6}));
    QVERIFY(ui::passMarksText().contains("○"));
    show(test::studyRecording());
    QVERIFY(page().findChild<QLabel *>("passLegend")->isVisible());
  }

  void equalTextsSayWhatOfThemIsHidden() {
    const std::string plain = "define void @f(ptr %a) {\nentry:\n  ret void\n}\n";
    const std::string attributed = "define void @f(ptr nocapture %a) {\nentry:\n  ret void\n}\n";
    QVERIFY(!ui::diffShown(plain, plain, {}).attributesDiffer);
    const ui::ShownDiff shown = ui::diffShown(plain, attributed, {});
    QVERIFY(shown.diff.isEqual());
    QVERIFY(shown.attributesDiffer);
    QVERIFY(!shown.debugInfoDiffers);
    analysis::IrTextOptions all;
    all.attributes = true;
    QVERIFY(!ui::diffShown(plain, attributed, all).diff.isEqual());

    test::Recording recording = test::studyRecording();
    for (event::Event &event : recording.events) {
      if (auto *compile = std::get_if<event::CompileEvent>(&event); compile != nullptr && compile->id.value <= 2) {
        for (event::IrSnapshot &snapshot : compile->snapshots) {
          snapshot.text = compile->id.value == 1 ? plain : attributed;
        }
      }
    }
    show(recording);
    auto *summary = page().findChild<QLabel *>("diffSummary");
    QVERIFY2(summary->text().startsWith("The visible text is equal; only hidden parts differ: attributes or metadata."),
             qPrintable(summary->text()));
  }

  void aTextThatWasNotKeptNamesTheOptionThatKeepsIt() {
    show(test::studyRecording());
    auto *passes = page().findChild<ui::ItemView *>("diffPasses");
    passes->setCurrentIndex(passes->proxy()->index(0, 0));
    auto *summary = page().findChild<QLabel *>("diffSummary");
    QVERIFY2(summary->text().contains("options { ir = \"passes\" }"), qPrintable(summary->text()));
  }

  void whatABoxHasNoRoomForIsCutInTheMiddle() {
    show(twoStudies());
    auto &box = static_cast<ui::ElidedComboBox &>(page().left());
    const QString text = box.currentText();
    box.setFixedWidth(200);
    QVERIFY2(box.shownText().contains(QChar(0x2026)), qPrintable(box.shownText()));
    QVERIFY2(box.shownText().endsWith(text.right(4)), qPrintable(box.shownText()));
    box.setFixedWidth(900);
    QCOMPARE(box.shownText(), text);
    // All of an entry is to be read in the list.
    box.setFixedWidth(200);
    box.showPopup();
    QVERIFY(box.view()->width() >= box.view()->sizeHintForColumn(0));
    box.hidePopup();
  }
};

QTEST_MAIN(TestDiffPage)
#include "tst_diff_page.moc"
