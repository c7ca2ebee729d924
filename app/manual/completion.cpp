// SPDX-License-Identifier: GPL-3.0-or-later
#include "manual/completion.h"

#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::app {

namespace {

constexpr std::string_view kHead = "# SPDX-License-Identifier: GPL-3.0-or-later\n";

/// Every command that takes options of its own, with the words that lead to it, e.g. "cache stat".
void eachCommand(const CommandOutline &outline, const std::string &path,
                 const std::function<void(const std::string &, const CommandOutline &)> &visit) {
  for (const CommandOutline &command : outline.commands) {
    const std::string here = path.empty() ? command.name : path + " " + command.name;
    visit(here, command);
    eachCommand(command, here, visit);
  }
}

std::vector<std::string> wordsOf(const OutlineOption &option) {
  std::vector<std::string> words;
  if (option.isPositional) {
    return words;
  }
  if (!option.longName.empty()) {
    words.push_back("--" + option.longName);
  }
  if (!option.shortName.empty()) {
    words.push_back("-" + option.shortName);
  }
  return words;
}

std::vector<std::string> optionWordsOf(const CommandOutline &command) {
  std::vector<std::string> words;
  for (const OutlineOption &option : command.options) {
    for (std::string &word : wordsOf(option)) {
      words.push_back(std::move(word));
    }
  }
  return words;
}

std::vector<std::string> commandWordsOf(const CommandOutline &command) {
  std::vector<std::string> words;
  for (const CommandOutline &sub : command.commands) {
    words.push_back(sub.name);
  }
  return words;
}

/// A text between single quotes of a shell.
std::string shellQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

/// The first sentence or part of a description: what fits beside a word.
std::string brief(std::string_view text) {
  const std::size_t end = std::min(text.find(". "), text.find("; "));
  return std::string(text.substr(0, end));
}

/// The positional argument of the command, or the first of several, which are all of one type.
const OutlineOption *positionalOf(const CommandOutline &command) {
  for (const OutlineOption &option : command.options) {
    if (option.isPositional) {
      return &option;
    }
  }
  return nullptr;
}

std::string joined(const std::vector<std::string> &words) { return fmt::format("{}", fmt::join(words, " ")); }

/// The call of one of the functions in `kBashFunctions` that completes a value.
std::string bashAction(const ValueType &type) {
  switch (type.completion) {
  case Completion::None:
    return "COMPREPLY=()";
  case Completion::Files:
    return "_jitscope_files " + joined(type.words);
  case Completion::Folders:
    return "_jitscope_folders";
  case Completion::Words:
    return "_jitscope_words " + shellQuoted(joined(type.words));
  case Completion::WordList:
    return "_jitscope_list " + shellQuoted(joined(type.words));
  case Completion::Prefixes:
    return "_jitscope_prefixes " + shellQuoted(joined(type.words));
  }
  return "";
}

constexpr std::string_view kBashFunctions = R"(# They complete $word. compopt works only while a user completes.
_jitscope_words() {
  COMPREPLY=($(compgen -W "$1" -- "$word"))
}
_jitscope_prefixes() {
  compopt -o nospace 2>/dev/null
  _jitscope_words "$1"
}
_jitscope_list() {
  local before=
  if [[ $word == *,* ]]; then
    before=${word%,*},
  fi
  compopt -o nospace 2>/dev/null
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${word##*,}"))
}
_jitscope_folders() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -d -- "$word"))
}
# Files with one of these endings, and folders; all files without an ending.
_jitscope_files() {
  local IFS=$'\n' ending
  _jitscope_folders
  for ending in "$@"; do
    COMPREPLY+=($(compgen -f -X "!*.$ending" -- "$word"))
  done
  if (($# == 0)); then
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
)";

/// For zsh, which gives brackets and colons in a specification a meaning.
std::string zshText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  return out;
}

/// The message and the action of a value in a specification of zsh's _arguments.
std::string zshValue(const OutlineOption &option) {
  if (option.value.empty()) {
    return "";
  }
  const ValueType &type = option.type;
  std::string action = " ";
  switch (type.completion) {
  case Completion::None:
    break;
  case Completion::Files:
    action = type.words.empty() ? "_files" : fmt::format("_files -g \"*.({})\"", fmt::join(type.words, "|"));
    break;
  case Completion::Folders:
    action = "_files -/";
    break;
  case Completion::Words:
    action = fmt::format("({})", joined(type.words));
    break;
  case Completion::WordList:
    action = fmt::format("{{_sequence compadd - {}}}", joined(type.words));
    break;
  case Completion::Prefixes:
    action = fmt::format("{{compadd -S \"\" - {}}}", joined(type.words));
    break;
  }
  return fmt::format(":{}:{}", zshText(option.value), action);
}

/// The options of fish's `complete` that say what a value is.
std::string fishValue(const ValueType &type) {
  switch (type.completion) {
  case Completion::None:
    return " -x";
  case Completion::Files: {
    std::string action;
    for (const std::string &ending : type.words) {
      action += fmt::format(" -x -a '(__fish_complete_suffix .{})'", ending);
    }
    return action.empty() ? " -r -F" : action;
  }
  case Completion::Folders:
    return " -x -a '(__fish_complete_directories)'";
  case Completion::Words:
  case Completion::Prefixes:
    return " -x -a " + shellQuoted(joined(type.words));
  case Completion::WordList:
    return fmt::format(" -x -a '(__fish_append , {})'", joined(type.words));
  }
  return "";
}

void addZshFunction(std::string &script, const CommandOutline &command, const std::string &function) {
  script += fmt::format("{}() {{\n", function);
  if (!command.commands.empty()) {
    script += "  local -a commands=(\n";
    for (const CommandOutline &sub : command.commands) {
      script += fmt::format("    {}\n", shellQuoted(zshText(sub.name) + ":" + brief(sub.description)));
    }
    script += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n";
    script += "  local name=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $name in\n";
    for (const CommandOutline &sub : command.commands) {
      script += fmt::format("  {}) {}_{} ;;\n", sub.name, function, sub.name);
    }
    script += "  esac\n}\n\n";
    for (const CommandOutline &sub : command.commands) {
      addZshFunction(script, sub, function + "_" + sub.name);
    }
    return;
  }
  script += "  _arguments -s";
  for (const OutlineOption &option : command.options) {
    for (const std::string &word : wordsOf(option)) {
      script += fmt::format(" \\\n    {}", shellQuoted(fmt::format("{}{}[{}]{}", option.isRepeatable ? "*" : "", word,
                                                                   zshText(brief(option.description)), zshValue(option))));
    }
  }
  if (const OutlineOption *positional = positionalOf(command)) {
    script += " \\\n    " + shellQuoted("*" + zshValue(*positional));
  }
  script += "\n}\n\n";
}

} // namespace

std::string bashCompletion(const CommandOutline &outline) {
  std::string commands;
  std::string values;
  std::string options = fmt::format("    '') _jitscope_words {} ;;\n", shellQuoted(joined(optionWordsOf(outline))));
  std::string arguments = fmt::format("  '') _jitscope_words {} ;;\n", shellQuoted(joined(commandWordsOf(outline))));
  eachCommand(outline, "", [&](const std::string &path, const CommandOutline &command) {
    const std::size_t last = path.rfind(' ');
    const std::string from = last == std::string::npos ? "" : path.substr(0, last);
    commands += fmt::format("    {}) command={} ;;\n", shellQuoted(from + " " + command.name), shellQuoted(path));
    options += fmt::format("    {}) _jitscope_words {} ;;\n", shellQuoted(path), shellQuoted(joined(optionWordsOf(command))));
    if (const OutlineOption *positional = positionalOf(command)) {
      arguments += fmt::format("  {}) {} ;;\n", shellQuoted(path), bashAction(positional->type));
    } else {
      arguments += fmt::format("  {}) _jitscope_words {} ;;\n", shellQuoted(path), shellQuoted(joined(commandWordsOf(command))));
    }
    for (const OutlineOption &option : command.options) {
      for (const std::string &word : wordsOf(option)) {
        if (!option.value.empty()) {
          values += fmt::format("  {}) {}; return ;;\n", shellQuoted(path + " " + word), bashAction(option.type));
        }
      }
    }
  });
  return fmt::format("{}{}"
                     "_jitscope() {{\n"
                     "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= i\n"
                     "  COMPREPLY=()\n"
                     "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
                     "    case \"$command ${{COMP_WORDS[i]}}\" in\n{}    esac\n  done\n"
                     "  case \"$command $before\" in\n{}  esac\n"
                     "  if [[ $word == -* ]]; then\n"
                     "    case $command in\n{}    esac\n    return\n  fi\n"
                     "  case $command in\n{}  esac\n"
                     "}}\n"
                     "complete -F _jitscope jitscope\n",
                     kHead, kBashFunctions, commands, values, options, arguments);
}

std::string zshCompletion(const CommandOutline &outline) {
  std::string script = "#compdef jitscope\n" + std::string(kHead);
  addZshFunction(script, outline, "_jitscope");
  script += "_jitscope \"$@\"\n";
  return script;
}

std::string fishCompletion(const CommandOutline &outline) {
  std::string script(kHead);
  for (const CommandOutline &command : outline.commands) {
    script += fmt::format("complete -c jitscope -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                          shellQuoted(brief(command.description)));
    for (const CommandOutline &sub : command.commands) {
      script += fmt::format("complete -c jitscope -n '__fish_seen_subcommand_from {}' -f -a {} -d {}\n", command.name, sub.name,
                            shellQuoted(brief(sub.description)));
    }
    const std::string ofCommand = fmt::format("complete -c jitscope -n '__fish_seen_subcommand_from {}'", command.name);
    for (const OutlineOption &option : command.options) {
      script += ofCommand;
      if (option.isPositional) {
        script += fishValue(option.type) + "\n";
        continue;
      }
      script += option.shortName.empty() ? "" : " -s " + option.shortName;
      script += option.longName.empty() ? "" : " -l " + option.longName;
      script += option.value.empty() ? "" : fishValue(option.type);
      script += fmt::format(" -d {}\n", shellQuoted(brief(option.description)));
    }
  }
  return script;
}

} // namespace jitscope::app
