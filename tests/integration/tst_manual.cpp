// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

using namespace jitscope::test;

namespace {

const QStringList kCommands{"run", "study", "batch", "report", "compare", "diff", "export", "merge", "cache stat", "cache clear"};

/// The long options that a help text declares, without their hyphens.
QStringList optionsIn(const QString &help) {
  QStringList options;
  static const QRegularExpression line("^  (?:-\\w, )?--([a-z0-9-]+)", QRegularExpression::MultilineOption);
  for (auto match = line.globalMatch(help); match.hasNext();) {
    options += match.next().captured(1);
  }
  options.removeAll("help");
  return options;
}

} // namespace

/// The manual page and the completions of shells, which come from the declarations of the command.
class ManualTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void everyOptionIsInAllOfThem_data();
  void everyOptionIsInAllOfThem();
  void everyHelpNamesItsValuesStatusesAndExamples_data() { everyOptionIsInAllOfThem_data(); }
  void everyHelpNamesItsValuesStatusesAndExamples();
  void thePageHasEveryExitStatus();
  void thePageIsPlainForMan();
  void bashCompletes_data();
  void bashCompletes();
  void fishCompletes_data();
  void fishCompletes();
  void shellsReadTheirCompletions_data();
  void shellsReadTheirCompletions();

private:
  QString text(const QString &kind) const { return QString::fromUtf8(m_runner.run({"manual", kind}).output); }

  CliRunner m_runner;
};

void ManualTest::everyOptionIsInAllOfThem_data() {
  QTest::addColumn<QString>("command");
  for (const QString &command : kCommands) {
    QTest::newRow(qPrintable(command)) << command;
  }
}

void ManualTest::everyOptionIsInAllOfThem() {
  QFETCH(QString, command);
  const CommandOutcome help = m_runner.run(command.split(' ') << "--help");
  QCOMPARE(help.exitStatus, 0);
  const QStringList options = optionsIn(QString::fromUtf8(help.output));
  QVERIFY2(!options.isEmpty() || command == "merge", help.output.constData());
  const QString page = text("man").section(".SS \"" + command + "\"", 1).section("\n.S", 0, 0);
  const QString bash =
      text("bash").section("if [[ $word == -* ]]", 1).section("  '" + command + "') _jitscope_words ", 1).section('\n', 0, 0);
  const QString zsh = text("zsh").section("_jitscope_" + QString(command).replace(' ', '_') + "() {", 1).section("\n}", 0, 0);
  const QString fish = text("fish");
  for (const QString &option : options) {
    QVERIFY2(page.contains("\\-\\-" + QString(option).replace("-", "\\-")), qPrintable(option + " in " + page));
    QVERIFY2(bash.contains("--" + option), qPrintable(option + " in " + bash));
    QVERIFY2(zsh.contains("--" + option + "["), qPrintable(option + " in " + zsh));
    QVERIFY2(fish.contains("from " + command.section(' ', 0, 0) + "'") && (fish.contains(" -l " + option) || command.contains(' ')),
             qPrintable(option));
  }
}

void ManualTest::everyHelpNamesItsValuesStatusesAndExamples() {
  QFETCH(QString, command);
  const QString help = QString::fromUtf8(m_runner.run(command.split(' ') << "--help").output);
  static const QRegularExpression nameOfCpp(" (TEXT|UINT|INT|FLOAT)\\b");
  QVERIFY2(!help.contains(nameOfCpp), qPrintable(help));
  const QString end = help.section("\nExit status:\n  0  ", 1);
  QVERIFY2(end.contains("\n  2  "), qPrintable(help));
  QVERIFY2(end.section("\n\nExamples:\n", 1).startsWith("  jitscope " + command), qPrintable(help));
  for (const QString &line : help.split('\n')) {
    QVERIFY2(line.size() <= 110, qPrintable(line));
  }
}

void ManualTest::thePageHasEveryExitStatus() {
  const QString help = QString::fromUtf8(m_runner.run({"--help"}).output);
  const QString statuses = text("man").section(".SH EXIT STATUS\n", 1).section(".SH", 0, 0);
  static const QRegularExpression row("^  (\\d)  (.+)$", QRegularExpression::MultilineOption);
  int rows = 0;
  for (auto match = row.globalMatch(help); match.hasNext(); ++rows) {
    const QRegularExpressionMatch one = match.next();
    QVERIFY2(statuses.contains(".B " + one.captured(1) + "\n" + one.captured(2).replace("-", "\\-")), qPrintable(statuses));
  }
  QVERIFY(rows >= 4);
}

void ManualTest::thePageIsPlainForMan() {
  const QString page = text("man");
  QVERIFY(page.contains("\n.SH NAME\njitscope \\- "));
  // A line that begins with a dot is a request: each must be one that man(7) knows.
  static const QRegularExpression request("^\\.(\\S*)", QRegularExpression::MultilineOption);
  static const QStringList known{"\\\"", "TH", "SH", "SS", "TP", "PP", "HP", "B", "I", "BR", "nf", "fi"};
  for (auto match = request.globalMatch(page); match.hasNext();) {
    const QString name = match.next().captured(1);
    QVERIFY2(known.contains(name), qPrintable(name));
  }
}

void ManualTest::bashCompletes_data() {
  QTest::addColumn<QString>("words");
  QTest::addColumn<QString>("expected");
  QTest::newRow("a command") << "rep" << "report";
  QTest::newRow("a command's option") << "batch --juni" << "--junit";
  QTest::newRow("a fixed value") << "report s.jitscope --format mark" << "markdown";
  QTest::newRow("a fixed value of the short option") << "compare a b -f ht" << "html";
  QTest::newRow("a command of a command") << "cache cl" << "clear";
  QTest::newRow("an option of that") << "cache stat --js" << "--json";
  QTest::newRow("a file") << "run onl" << "only_here.lua";
  QTest::newRow("a file of an option") << "run only_here.lua --output on" << "only_there.jitscope";
  QTest::newRow("any file") << "report s.jitscope -o only_te" << "only_text.txt";
  QTest::newRow("a folder") << "batch -o an_" << "an_own_folder";
  QTest::newRow("a pipeline") << "run only_here.lua --pipeline def" << "deferred";
  QTest::newRow("one of several pipelines") << "study a.bc --pipelines deferred,se" << "deferred,separate";
  QTest::newRow("an option of --set") << "run only_here.lua --set op" << "opt=";
  QTest::newRow("nothing for a number") << "run only_here.lua --timeout on" << "";
}

void ManualTest::bashCompletes() {
  QFETCH(QString, words);
  QFETCH(QString, expected);
  m_runner.write("completion", text("bash").toUtf8());
  m_runner.write("only_here.lua", "");
  m_runner.write("only_there.jitscope", "");
  m_runner.write("only_text.txt", "");
  QVERIFY(QDir(m_runner.folder()).mkpath("an_own_folder"));
  QProcess bash;
  bash.setWorkingDirectory(m_runner.folder());
  bash.start("bash", QStringList{"-c",
                                 "source ./completion; COMP_WORDS=(jitscope \"$@\"); COMP_CWORD=$#; _jitscope; "
                                 "printf '%s\\n' \"${COMPREPLY[@]}\"",
                                 "bash"} +
                         words.split(' '));
  QVERIFY(bash.waitForFinished());
  QCOMPARE(QString::fromUtf8(bash.readAllStandardError()), QString());
  QCOMPARE(QString::fromUtf8(bash.readAllStandardOutput()).trimmed(), expected);
}

void ManualTest::fishCompletes_data() {
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("expected");
  QTest::newRow("a fixed value") << "jitscope report s.jitscope --format mark" << "markdown";
  QTest::newRow("a folder") << "jitscope batch -o fish_f" << "fish_folder/";
  QTest::newRow("one of several pipelines") << "jitscope study a.bc --pipelines deferred,se" << "deferred,separate";
  QTest::newRow("an option of --set") << "jitscope run a.lua --set op" << "opt=";
  QTest::newRow("nothing for a number") << "jitscope run a.lua --timeout fish" << "";
}

void ManualTest::fishCompletes() {
  QFETCH(QString, line);
  QFETCH(QString, expected);
  if (QStandardPaths::findExecutable("fish").isEmpty()) {
    QSKIP("fish is not installed");
  }
  m_runner.write("completion.fish", text("fish").toUtf8());
  QVERIFY(QDir(m_runner.folder()).mkpath("fish_folder"));
  QProcess fish;
  fish.setWorkingDirectory(m_runner.folder());
  fish.start("fish", {"--no-config", "-c", "source completion.fish; complete -C '" + line + "'"});
  QVERIFY(fish.waitForFinished());
  QCOMPARE(QString::fromUtf8(fish.readAllStandardOutput()).section('\t', 0, 0).trimmed(), expected);
}

void ManualTest::shellsReadTheirCompletions_data() {
  QTest::addColumn<QString>("shell");
  for (const char *shell : {"bash", "zsh", "fish"}) {
    QTest::newRow(shell) << shell;
  }
}

void ManualTest::shellsReadTheirCompletions() {
  QFETCH(QString, shell);
  QVERIFY(text(shell).contains("batch"));
  if (QStandardPaths::findExecutable(shell).isEmpty()) {
    QSKIP("this shell is not installed");
  }
  m_runner.write("completion", text(shell).toUtf8());
  QProcess check;
  check.setWorkingDirectory(m_runner.folder());
  check.start(shell, {"-n", "completion"});
  QVERIFY(check.waitForFinished());
  QCOMPARE(QString::fromUtf8(check.readAllStandardError()), QString());
  QCOMPARE(check.exitCode(), 0);
}

QTEST_APPLESS_MAIN(ManualTest)
#include "tst_manual.moc"
