// SPDX-License-Identifier: GPL-3.0-or-later
#include "manual/manual_command.h"

#include "manual/command_outline.h"
#include "manual/completion.h"
#include "manual/manual_page.h"
#include "session/rows/schema_reference.h"

#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace jitscope::app {

void addManualCommand(CLI::App &app, ExitStatus &status) {
  auto kind = std::make_shared<std::string>();
  CLI::App *command = app.add_subcommand("manual", "Print the manual page, the completions of a shell, or the tables of a session");
  command->group("");
  command->add_option("kind", *kind)->required()->check(CLI::IsMember({"man", "bash", "zsh", "fish", "schema"}));
  command->callback([kind, &app, &status] {
    const CommandOutline outline = outlineOf(app);
    const std::string text = *kind == "man"    ? manualPage(outline, JITSCOPE_VERSION)
                             : *kind == "bash" ? bashCompletion(outline)
                             : *kind == "zsh"  ? zshCompletion(outline)
                             : *kind == "fish" ? fishCompletion(outline)
                                               : session::schemaReference();
    const bool isWritten = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    status = isWritten ? ExitStatus::Done : ExitStatus::BadInput;
  });
}

} // namespace jitscope::app
