// SPDX-License-Identifier: GPL-3.0-or-later
#include "manual/manual_page.h"

#include "commands/exit_status.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::app {

namespace {

/// Text for roff: backslashes and hyphens as themselves, and no line that begins like a request.
std::string roff(std::string_view text) {
  std::string out;
  bool isLineStart = true;
  for (const char c : text) {
    if (isLineStart && (c == '.' || c == '\'')) {
      out += "\\&";
    }
    isLineStart = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

/// What stands after an option's name.
std::string valueOf(const OutlineOption &option) {
  if (option.value.empty()) {
    return "";
  }
  return " " + italic(option.value);
}

std::string namesOf(const OutlineOption &option) {
  if (option.isPositional) {
    return italic(option.longName);
  }
  std::vector<std::string> names;
  if (!option.shortName.empty()) {
    names.push_back(bold("-" + option.shortName));
  }
  if (!option.longName.empty()) {
    names.push_back(bold("--" + option.longName));
  }
  return fmt::format("{}{}", fmt::join(names, ", "), valueOf(option));
}

std::string synopsisOf(const OutlineOption &option) {
  std::string text;
  if (option.isPositional) {
    text = italic(option.longName);
  } else {
    text = bold(option.longName.empty() ? "-" + option.shortName : "--" + option.longName) + valueOf(option);
  }
  const std::string dots = option.isRepeatable && !option.value.ends_with("...") ? " ..." : "";
  return option.isRequired ? text + dots : fmt::format("[{}]{}", text, dots);
}

void addSynopsis(std::string &page, const CommandOutline &command, const std::string &path) {
  if (command.commands.empty()) {
    page += ".HP\n" + bold(path);
    for (const OutlineOption &option : command.options) {
      if (option.longName != "help") {
        page += "\n" + synopsisOf(option);
      }
    }
    page += "\n";
  }
  for (const CommandOutline &sub : command.commands) {
    addSynopsis(page, sub, path + " " + sub.name);
  }
}

void addOptions(std::string &page, const CommandOutline &command) {
  for (const OutlineOption &option : command.options) {
    if (option.longName == "help") {
      continue;
    }
    page += fmt::format(".TP\n{}\n{}\n", namesOf(option), roff(option.explanation()));
  }
}

void addCommand(std::string &page, const CommandOutline &command, const std::string &path) {
  page += fmt::format(".SS \"{}\"\n{}.\n", roff(path), roff(command.description));
  addOptions(page, command);
  if (!command.footer.empty()) {
    page += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.footer));
  }
  for (const CommandOutline &sub : command.commands) {
    addCommand(page, sub, path + " " + sub.name);
  }
}

constexpr std::string_view kEnvironment = R"(.SH ENVIRONMENT
.TP
.B COLUMNS
Width of text that goes to a pipe or a file. The default is 100 columns.
.TP
.B NO_COLOR
If set and not empty, text has no colours.
.TP
.B XDG_CACHE_HOME
Folder of caches. The default is ~/.cache.
.TP
.B TMPDIR
Folder for temporary files. The default is /tmp.
.SH FILES
.TP
.I SCRIPT\-DATE\-TIME.jitscope
A session: an SQLite database, which
.BR sqlite3 (1)
can read. During a run, files with the same name and the endings \-wal and \-shm are beside it.
.TP
.I ~/.cache/jitscope/objects
The disk cache of object code.
.SH SEE ALSO
.BR jitscope\-gui (1),
.BR sqlite3 (1)
)";

} // namespace

std::string manualPage(const CommandOutline &outline, std::string_view version) {
  std::string page = ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n";
  page += fmt::format(".TH JITSCOPE 1 \"\" \"jitscope {}\" \"User Commands\"\n", version);
  page += ".SH NAME\njitscope \\- profiler for compile caches\n.SH SYNOPSIS\n";
  addSynopsis(page, outline, outline.name);
  page += fmt::format(".SH DESCRIPTION\n{}.\n.PP\n", roff(outline.description));
  page += "The pages in docs/, which are installed with the command, describe the functions of graph scripts, the options that "
          "scripts and\n.B \\-\\-set\ntake, and how to read what is printed. Results go to standard output, everything else to "
          "standard "
          "error. Every command has\n.BR \\-\\-help .\n.SH COMMANDS\n";
  for (const CommandOutline &command : outline.commands) {
    addCommand(page, command, command.name);
  }
  page += ".SH EXIT STATUS\n";
  for (const ExitStatusMeaning &row : exitStatusMeanings()) {
    page += fmt::format(".TP\n.B {}\n{}.\n", static_cast<int>(row.status), roff(row.meaning));
  }
  page += kEnvironment;
  return page;
}

} // namespace jitscope::app
