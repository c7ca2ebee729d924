// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/code/ir_diff.h"
#include "support/sessions/study_samples.h"

#include <string>

using namespace jitscope;
using analysis::diffIr;
using analysis::DiffRow;
using analysis::IrTextOptions;
using analysis::RowKind;
using analysis::TextDiff;

namespace {

/// A diff as people write it: "  both", "- left", "+ right", a changed line as both.
QString shown(const TextDiff &diff) {
  std::string text;
  for (const DiffRow &row : diff.rows) {
    if (row.kind == RowKind::Equal) {
      text += "  " + row.left + '\n';
      continue;
    }
    text += row.leftLine > 0 ? "- " + row.left + '\n' : "";
    text += row.rightLine > 0 ? "+ " + row.right + '\n' : "";
  }
  return QString::fromStdString(text);
}

const DiffRow *rowWith(const TextDiff &diff, std::string_view text) {
  const auto found = std::ranges::find_if(
      diff.rows, [text](const DiffRow &row) { return (row.left + '\n' + row.right).find(text) != std::string::npos; });
  return found == diff.rows.end() ? nullptr : &*found;
}

IrTextOptions everything() {
  IrTextOptions options;
  options.debugInfo = true;
  options.attributes = true;
  return options;
}

} // namespace

class TestIrDiff : public QObject {
  Q_OBJECT

private Q_SLOTS:
  /// The same function as other tools of LLVM wrote it: opt -passes=instnamer, -discard-value-names, -passes=debugify,
  /// -passes=function-attrs.
  void whatOnlyNamesDebugInformationOrAttributesChangeIsEqual_data() {
    QTest::addColumn<QString>("left");
    QTest::addColumn<QString>("right");
    QTest::addColumn<bool>("differsWithAll");
    QTest::newRow("itself") << "outer_per_function" << "outer_per_function" << false;
    QTest::newRow("every value named") << "outer_per_function" << "outer_per_function_named" << false;
    QTest::newRow("every value numbered") << "outer_per_function" << "outer_per_function_nameless" << false;
    QTest::newRow("named and numbered") << "outer_per_function_named" << "outer_per_function_nameless" << false;
    QTest::newRow("with debug information") << "outer_per_function" << "outer_per_function_debug" << true;
    QTest::newRow("with more attributes") << "inner_before" << "inner_before_attributes" << true;
  }
  void whatOnlyNamesDebugInformationOrAttributesChangeIsEqual() {
    QFETCH(QString, left);
    QFETCH(QString, right);
    QFETCH(bool, differsWithAll);
    const std::string first = test::irSample(left.toStdString());
    const std::string second = test::irSample(right.toStdString());
    QVERIFY(first.size() > 500 && second.size() > 500);
    const TextDiff there = diffIr(first, second);
    QVERIFY2(there.isEqual(), qPrintable(shown(there)));
    QVERIFY(diffIr(second, first).isEqual());
    QCOMPARE(!diffIr(first, second, everything()).isEqual(), differsWithAll);
  }

  void anInsertedInstructionChangesNoLineAfterIt() {
    const TextDiff diff = diffIr("define i32 @f(i32 %0, i32 %1) {\n"
                                 "  %3 = add i32 %0, %1\n"
                                 "  %4 = mul i32 %3, %1\n"
                                 "  %5 = sub i32 %4, %0\n"
                                 "  ret i32 %5\n"
                                 "}\n",
                                 "define i32 @f(i32 %0, i32 %1) {\n"
                                 "  %3 = xor i32 %0, 7\n"
                                 "  %4 = add i32 %0, %1\n"
                                 "  %5 = mul i32 %4, %1\n"
                                 "  %6 = sub i32 %5, %0\n"
                                 "  ret i32 %6\n"
                                 "}\n");
    QCOMPARE(shown(diff), QString("  define i32 @f(i32 %0, i32 %1) {\n"
                                  "  entry:\n"
                                  "+   %2 = xor i32 %0, 7\n"
                                  "    %3 = add i32 %0, %1\n"
                                  "    %4 = mul i32 %3, %1\n"
                                  "    %5 = sub i32 %4, %0\n"
                                  "    ret i32 %5\n"
                                  "  }\n"));
    QCOMPARE(diff.rightOnly, std::size_t{1});
    QCOMPARE(diff.leftOnly + diff.changed, std::size_t{0});
  }

  void whatChangedWithinALineIsMarked() {
    const TextDiff constant = diffIr("define double @f(double %x) {\n  %r = fmul double %x, 2.0\n  ret double %r\n}\n",
                                     "define double @f(double %x) {\n  %r = fmul fast double %x, 0.5\n  ret double %r\n}\n");
    QCOMPARE(constant.changed, std::size_t{1});
    const DiffRow *row = rowWith(constant, "fmul");
    QVERIFY(row != nullptr && row->kind == RowKind::Changed);
    QCOMPARE(row->leftSpans.size(), std::size_t{1});
    QCOMPARE(row->left.substr(row->leftSpans[0].begin, row->leftSpans[0].length), std::string("2.0"));
    QCOMPARE(row->rightSpans.size(), std::size_t{2});
    QCOMPARE(row->right.substr(row->rightSpans[0].begin, row->rightSpans[0].length), std::string("fast"));
    QCOMPARE(row->right.substr(row->rightSpans[1].begin, row->rightSpans[1].length), std::string("0.5"));
  }

  void aVectorTypeIsMarkedAsOneWord() {
    const TextDiff diff = diffIr("define void @f(ptr %p) {\n  store double 1.0, ptr %p\n  ret void\n}\n",
                                 "define void @f(ptr %p) {\n  store <2 x double> zeroinitializer, ptr %p\n  ret void\n}\n");
    const DiffRow *row = rowWith(diff, "store");
    QVERIFY(row != nullptr && row->kind == RowKind::Changed && row->rightSpans.size() == 1);
    QCOMPARE(row->right.substr(row->rightSpans[0].begin, row->rightSpans[0].length), std::string("<2 x double> zeroinitializer"));
  }

  void aNameMeansTheSameOnBothSides() {
    // Both have a %1 and a %2, and only the right one's last is the left one's.
    const TextDiff diff =
        diffIr("define i32 @f(i32 %a) {\nentry:\n  %0 = shl i32 %a, 1\n  %1 = lshr i32 %0, 3\n  ret i32 %1\n}\n",
               "define i32 @f(i32 %a) {\nentry:\n  %0 = shl i32 %a, 1\n  %1 = xor i32 %0, 3\n  %2 = freeze i32 %1\n"
               "  ret i32 %2\n}\n");
    QCOMPARE(shown(diff), QString("  define i32 @f(i32 %a) {\n"
                                  "  entry:\n"
                                  "    %0 = shl i32 %a, 1\n"
                                  "-   %1 = lshr i32 %0, 3\n"
                                  "+   %2 = xor i32 %0, 3\n"
                                  "+   %3 = freeze i32 %2\n"
                                  "-   ret i32 %1\n"
                                  "+   ret i32 %3\n"
                                  "  }\n"));
  }

  void originalNamesStayAsLlvmGaveThem() {
    const char *left = "define void @f(ptr %0) {\n  %2 = load i32, ptr %0\n  store i32 %2, ptr %0\n  ret void\n}\n";
    const char *right =
        "define void @f(ptr %0) {\n  %2 = load i32, ptr %0\n  %3 = load i32, ptr %0\n  store i32 %3, ptr %0\n  ret void\n}\n";
    IrTextOptions options;
    options.originalNames = true;
    const TextDiff diff = diffIr(left, right, options);
    std::string leftText;
    std::string rightText;
    for (const DiffRow &row : diff.rows) {
      leftText += row.leftLine > 0 ? row.left + '\n' : "";
      rightText += row.rightLine > 0 ? row.right + '\n' : "";
    }
    for (const char *line : {"  %2 = load i32, ptr %0\n", "  store i32 %2, ptr %0\n"}) {
      QVERIFY2(leftText.find(line) != std::string::npos, leftText.c_str());
    }
    for (const char *line : {"  %3 = load i32, ptr %0\n", "  store i32 %3, ptr %0\n"}) {
      QVERIFY2(rightText.find(line) != std::string::npos, rightText.c_str());
    }
  }

  void anInstructionInThePlaceOfAnotherIsAChangedOne() {
    const TextDiff diff = diffIr("define double @f(double %x) {\n  %1 = fdiv double %x, 2.0\n  ret double %1\n}\n",
                                 "define double @f(double %x) {\n  %1 = fmul double %x, 0.5\n  ret double %1\n}\n");
    QCOMPARE(shown(diff), QString("  define double @f(double %x) {\n"
                                  "  entry:\n"
                                  "-   %0 = fdiv double %x, 2.0\n"
                                  "+   %0 = fmul double %x, 0.5\n"
                                  "    ret double %0\n"
                                  "  }\n"));
    QCOMPARE(diff.changed, std::size_t{1});
  }

  void aValueIsKnownByItsName() {
    const TextDiff diff = diffIr("define void @f(ptr %p) {\n  %x = load i32, ptr %p, align 4\n  store i32 %x, ptr %p, align 4\n  "
                                 "ret void\n}\n",
                                 "define void @f(ptr %p) {\n  fence seq_cst\n  %x = call i32 @g(ptr %p)\n  "
                                 "store i32 %x, ptr %p, align 4\n  ret void\n}\n");
    QCOMPARE(diff.changed, std::size_t{1});
    QCOMPARE(diff.rightOnly, std::size_t{1});
    QCOMPARE(diff.leftOnly, std::size_t{0});
  }

  void theNumberOfAFirstBlockIsItsLabel() {
    const TextDiff diff =
        diffIr("define i32 @f(i32 %0) {\n  br label %2\n\n2:\n  %3 = phi i32 [ %0, %1 ], [ 4, %2 ]\n  br label %2\n}\n",
               "define i32 @f(i32 %x) {\nbegin:\n  br label %l\n\nl:\n  %p = phi i32 [ %x, %begin ], [ 4, %l ]\n"
               "  br label %l\n}\n");
    QVERIFY2(diff.isEqual(), qPrintable(shown(diff)));
    QVERIFY2(rowWith(diff, "phi i32 [ %x, %begin ]") != nullptr, qPrintable(shown(diff)));
  }

  void symbolsAreShownWithoutTheirHashes() {
    const TextDiff diff = diffIr("define void @outer_0123456789abcdef() {\n  call void @inner_00ff00ff00ff00ff()\n  ret void\n}\n",
                                 "define void @outer_fedcba9876543210() {\n  call void @inner_11ff00ff00ff00ff()\n  ret void\n}\n");
    QVERIFY2(diff.isEqual(), qPrintable(shown(diff)));
    QVERIFY(rowWith(diff, "call void @inner()") != nullptr);
    // Two of the same name keep their hashes, or they could not be told apart.
    const TextDiff both = diffIr("define void @f() {\n  call void @g_0123456789abcdef()\n  call void @g_1123456789abcdef()\n}\n",
                                 "define void @f() {\n  call void @g_0123456789abcdef()\n  call void @g_0123456789abcdef()\n}\n");
    QVERIFY(!both.isEqual());
    IrTextOptions options;
    options.symbolNames[test::kInnerSymbol] = "__main__::inner";
    const TextDiff named = diffIr(test::irSample("inner_before"), test::irSample("inner_before"), options);
    QVERIFY2(named.rows.front().left.starts_with("define i32 @__main__::inner(ptr %retptr, ptr %excinfo, double %arg.a1,"),
             named.rows.front().left.c_str());
  }

  void whatIsShownIsChosen() {
    const std::string text =
        "; Function Attrs: nounwind\n"
        "define dso_local noundef i32 @f(ptr noundef nonnull align 8 dereferenceable(4) %p) local_unnamed_addr #0 "
        "!dbg !7 {\n"
        "    #dbg_value(ptr %p, !9, !DIExpression(), !10)\n"
        "  %v = load i32, ptr %p, align 4, !dbg !11, !tbaa !12\n"
        "  call void @llvm.dbg.value(metadata i32 %v, metadata !9, metadata !DIExpression()), !dbg !11\n"
        "  %w = tail call i32 @g(i32 noundef %v) #3, !dbg !11\n"
        "  br label %loop, !llvm.loop !20\n"
        "}\n"
        "attributes #0 = { nounwind }\n"
        "!7 = distinct !DISubprogram(name: \"f\")\n";
    QCOMPARE(shown(diffIr(text, text)), QString("  define i32 @f(ptr %p) {\n"
                                                "  entry:\n"
                                                "    %v = load i32, ptr %p, align 4\n"
                                                "    %w = call i32 @g(i32 %v)\n"
                                                "    br label %loop, !llvm.loop !0\n"
                                                "  }\n"));
    IrTextOptions attributes;
    attributes.attributes = true;
    QCOMPARE(
        shown(diffIr(text, text, attributes)),
        QString("  define dso_local noundef i32 @f(ptr noundef nonnull align 8 dereferenceable(4) %p) local_unnamed_addr #0 {\n"
                "  entry:\n"
                "    %v = load i32, ptr %p, align 4, !tbaa !0\n"
                "    %w = tail call i32 @g(i32 noundef %v) #1\n"
                "    br label %loop, !llvm.loop !1\n"
                "  }\n"
                "  attributes #0 = { nounwind }\n"));
    IrTextOptions debug;
    debug.debugInfo = true;
    const QString withDebug = shown(diffIr(text, text, debug));
    QVERIFY2(withDebug.contains("#dbg_value(ptr %p, !1, !DIExpression(), !2)"), qPrintable(withDebug));
    QVERIFY2(withDebug.contains("!0 = distinct !DISubprogram(name: \"f\")"), qPrintable(withDebug));
  }

  /// The vectorized loop stands on the right, the packed halves of `inner` on the left, and the rest is recognized.
  void twoPipelinesDifferInWhatTheyMadeOfTheLoop() {
    const TextDiff diff = diffIr(test::irSample("outer_per_function"), test::irSample("outer_deferred"));
    std::size_t vectors = 0;
    for (const DiffRow &row : diff.rows) {
      QVERIFY(row.left.find("<4 x double>") == std::string::npos);
      if (row.left.find("<2 x double>") != std::string::npos) {
        QVERIFY(row.kind == RowKind::LeftOnly);
      }
      if (row.right.find("<4 x double>") != std::string::npos) {
        QVERIFY(row.kind == RowKind::RightOnly);
        ++vectors;
      }
    }
    QCOMPARE(vectors, std::size_t{11});
    // 94 lines on the left, of which the loop's 21 are the only ones that do not reappear.
    QCOMPARE(diff.rows.size() - diff.rightOnly, std::size_t{94});
    QVERIFY(diff.leftOnly + diff.changed <= 21);
    const DiffRow *unchanged = rowWith(diff, "store i64 8, ptr %retptr.repack1.repack19");
    QVERIFY(unchanged != nullptr && unchanged->kind == RowKind::Equal);
  }

  void hunksAreDifferencesWithWhatSurroundsThem() {
    TextDiff diff;
    for (int i = 0; i < 30; ++i) {
      DiffRow row;
      row.kind = i == 0 || i == 12 || i == 15 || i == 29 ? RowKind::LeftOnly : RowKind::Equal;
      diff.rows.push_back(row);
    }
    const std::vector<analysis::Hunk> hunks = analysis::hunksOf(diff, 3);
    QCOMPARE(hunks.size(), std::size_t{3});
    QCOMPARE(hunks[0].firstRow, std::size_t{0});
    QCOMPARE(hunks[0].rowCount, std::size_t{4});
    QCOMPARE(hunks[1].firstRow, std::size_t{9});
    QCOMPARE(hunks[1].rowCount, std::size_t{10});
    QCOMPARE(hunks[2].firstRow, std::size_t{26});
    QCOMPARE(hunks[2].rowCount, std::size_t{4});
    QCOMPARE(analysis::hunksOf(diff, 100).size(), std::size_t{1});
    QCOMPARE(analysis::hunksOf(diff, 0).size(), std::size_t{4});
    QVERIFY(analysis::hunksOf(TextDiff{}).empty());
  }

  void anyTextCanBeCompared_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("an unfinished line") << QByteArray("define void @f(");
    QTest::newRow("an open quote") << QByteArray("  store ptr @\"abc, ptr %\"x\n\"label:\n");
    QTest::newRow("sigils alone") << QByteArray("% @ ! # !, #, %, @\n");
    QTest::newRow("attributes alone") << QByteArray("noundef dereferenceable(\n  tail\n(((\n");
    QTest::newRow("zero bytes") << QByteArray("a\0b\n%1 = \0\n", 10);
    QTest::newRow("prose") << QByteArray("Größe: 3; nothing of IR here.\n\n\tx\n");
  }
  void anyTextCanBeCompared() {
    QFETCH(QByteArray, text);
    const std::string sample = text.toStdString();
    QVERIFY(diffIr(sample, sample).isEqual());
    const TextDiff diff = diffIr(sample, test::irSample("inner_before"));
    QCOMPARE(diff.rows.size() - diff.leftOnly, std::size_t{29});
  }

  void aHundredThousandLinesAreCompared() {
    std::string left = "define void @f(ptr %p) {\n";
    std::string right = left;
    for (int i = 0; i < 100'000; ++i) {
      const std::string line = "  store i32 " + std::to_string(i % 7) + ", ptr %p, align 4\n";
      left += i % 11 == 0 ? "" : line;
      right += i % 13 == 0 ? "" : line;
    }
    const TextDiff diff = diffIr(left + "}\n", right + "}\n");
    std::size_t onLeft = 0;
    std::size_t onRight = 0;
    for (const DiffRow &row : diff.rows) {
      onLeft += row.leftLine > 0 ? 1U : 0U;
      onRight += row.rightLine > 0 ? 1U : 0U;
    }
    QCOMPARE(onLeft, std::size_t{100'000 - 9'091 + 3});
    QCOMPARE(onRight, std::size_t{100'000 - 7'693 + 3});
  }
};

QTEST_GUILESS_MAIN(TestIrDiff)
#include "tst_ir_diff.moc"
