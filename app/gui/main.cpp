// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>

int main(int argc, char **argv) {
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("jitscope"));
  QApplication::setApplicationDisplayName(QStringLiteral("Jitscope"));
  QApplication::setApplicationVersion(QStringLiteral(JITSCOPE_VERSION));
  QApplication::setOrganizationName(QStringLiteral("jitscope"));
  QApplication::setDesktopFileName(QStringLiteral("jitscope"));
  QApplication::setWindowIcon(QIcon::fromTheme(QStringLiteral("jitscope"), QIcon(QStringLiteral(":/icons/jitscope.svg"))));

  QCommandLineParser parser;
  parser.setApplicationDescription(
      QApplication::translate("main", "Shows sessions recorded by jitscope, and runs graph scripts by starting it."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(QStringLiteral("file"),
                               QApplication::translate("main", "A session (*.jitscope) or a graph script (*.lua)."),
                               QStringLiteral("[SESSION|SCRIPT]"));
  parser.process(application);
  if (parser.positionalArguments().size() > 1) {
    qCritical("jitscope-gui: give one session or script; %s was the second", qPrintable(parser.positionalArguments()[1]));
    return 2;
  }

  jitscope::ui::MainWindow window;
  window.show();
  if (!parser.positionalArguments().isEmpty()) {
    window.openPath(parser.positionalArguments().first());
  }
  return QApplication::exec();
}
