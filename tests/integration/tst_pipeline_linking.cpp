// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "pipeline/modules/module_linking.h"
#include "support/result_checks.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

using namespace jitscope;

namespace {

constexpr const char *kCaller = R"(
declare double @twice(double)
define double @caller(double %x) {
  %y = call double @twice(double %x)
  ret double %y
})";

class PipelineLinkingTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void functionsAreLentWhereThatIsSafe_data() {
    QTest::addColumn<QByteArray>("callee");
    QTest::addColumn<bool>("isLent");
    const QByteArray body = "(double %x) {\n  %y = fadd double %x, %x\n  ret double %y\n}\n";
    QTest::newRow("a plain function") << QByteArray("define double @twice" + body) << true;
    QTest::newRow("one of several equal copies") << QByteArray("define linkonce_odr double @twice" + body) << true;
    QTest::newRow("a member of a group")
        << QByteArray("$twice = comdat any\ndefine weak_odr double @twice(double %x) comdat {\n  ret double %x\n}\n") << true;
    QTest::newRow("one that another may replace") << QByteArray("define weak double @twice" + body) << false;
    QTest::newRow("beside a constant of the module's own")
        << QByteArray("@two = private constant double 2.0\ndefine double @twice(double %x) {\n  %f = load double, ptr @two\n"
                      "  %y = fmul double %x, %f\n  ret double %y\n}\n")
        << true;
    QTest::newRow("beside state of the module's own")
        << QByteArray(
               "@calls = internal global i64 0\ndefine double @twice(double %x) {\n  store i64 1, ptr @calls\n  ret double %x\n}\n")
        << false;
    QTest::newRow("beside a variable that all see")
        << QByteArray("@calls = global i64 0\ndefine double @twice(double %x) {\n  store i64 1, ptr @calls\n  ret double %x\n}\n")
        << true;
    QTest::newRow("beside a second name") << QByteArray("@other = alias double (double), ptr @twice\ndefine double @twice" + body)
                                          << false;
  }

  void functionsAreLentWhereThatIsSafe() {
    QFETCH(QByteArray, callee);
    QFETCH(bool, isLent);
    llvm::LLVMContext context;
    const std::unique_ptr<llvm::Module> caller = read(kCaller, context);
    const std::unique_ptr<llvm::Module> source = read(callee.constData(), context);
    QVERIFY(caller && source);
    JS_VERIFY_RESULT(pipeline::lendTo(*caller, *source));
    QVERIFY(!llvm::verifyModule(*caller));
    const llvm::Function *twice = caller->getFunction("twice");
    QCOMPARE(!twice->isDeclaration(), isLent);
    // Whoever links the caller finds nothing in it that the callee's own module defines.
    for (const llvm::GlobalValue &value : caller->global_values()) {
      QVERIFY(value.getName() == "caller" || value.hasLocalLinkage() || value.isDeclarationForLinker());
    }
    QVERIFY(!source->getFunction("twice")->isDeclarationForLinker());
  }

private:
  static std::unique_ptr<llvm::Module> read(const char *assembly, llvm::LLVMContext &context) {
    llvm::SMDiagnostic problem;
    return llvm::parseAssemblyString(assembly, problem, context);
  }
};

} // namespace

QTEST_GUILESS_MAIN(PipelineLinkingTest)
#include "tst_pipeline_linking.moc"
