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

/// What can stand after the command: its options and its sub-commands.
std::vector<std::string> wordsOf(const CommandOutline &command) {
  std::vector<std::string> words;
  for (const CommandOutline &sub : command.commands) {
    words.push_back(sub.name);
  }
  for (const OutlineOption &option : command.options) {
    for (std::string &word : wordsOf(option)) {
      words.push_back(std::move(word));
    }
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

bool takesFiles(const CommandOutline &command) {
  for (const OutlineOption &option : command.options) {
    if (option.isPositional) {
      return true;
    }
  }
  return false;
}

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

std::string zshValue(const OutlineOption &option) {
  if (option.value.empty()) {
    return "";
  }
  const std::string action = option.choices.empty() ? "_files" : fmt::format("({})", fmt::join(option.choices, " "));
  return fmt::format(":{}:{}", zshText(option.value), action);
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
  if (takesFiles(command)) {
    script += " \\\n    '*:file:_files'";
  }
  script += "\n}\n\n";
}

} // namespace

std::string bashCompletion(const CommandOutline &outline) {
  std::string script(kHead);
  script += "_jitscope() {\n"
            "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= words= i\n"
            "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
            "    case \"$command ${COMP_WORDS[i]}\" in\n";
  std::string cases;
  std::string values;
  cases += fmt::format("  '') words={} ;;\n", shellQuoted(fmt::format("{}", fmt::join(wordsOf(outline), " "))));
  eachCommand(outline, "", [&](const std::string &path, const CommandOutline &command) {
    const std::size_t last = path.rfind(' ');
    const std::string from = last == std::string::npos ? "" : path.substr(0, last);
    script += fmt::format("    {}) command={} ;;\n", shellQuoted(from + " " + command.name), shellQuoted(path));
    cases +=
        fmt::format("  {}) words={} ;;\n", shellQuoted(path), shellQuoted(fmt::format("{}", fmt::join(wordsOf(command), " "))));
    for (const OutlineOption &option : command.options) {
      for (const std::string &word : wordsOf(option)) {
        if (!option.choices.empty()) {
          values += fmt::format("  {})\n    COMPREPLY=($(compgen -W {} -- \"$word\"))\n    return\n    ;;\n",
                                shellQuoted(path + " " + word), shellQuoted(fmt::format("{}", fmt::join(option.choices, " "))));
        }
      }
    }
  });
  script += "    esac\n  done\n  case \"$command $before\" in\n" + values + "  esac\n  case $command in\n" + cases + "  esac\n";
  script += "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
            "  # No word fits: a file.\n"
            "  if [[ ${#COMPREPLY[@]} -eq 0 || -z $word && -n $command ]]; then\n"
            "    COMPREPLY+=($(compgen -f -- \"$word\"))\n"
            "  fi\n"
            "}\n"
            "complete -o filenames -F _jitscope jitscope\n";
  return script;
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
    for (const OutlineOption &option : command.options) {
      if (option.isPositional) {
        continue;
      }
      script += fmt::format("complete -c jitscope -n '__fish_seen_subcommand_from {}'", command.name);
      script += option.shortName.empty() ? "" : " -s " + option.shortName;
      script += option.longName.empty() ? "" : " -l " + option.longName;
      if (!option.value.empty()) {
        script += option.choices.empty() ? " -r"
                                         : fmt::format(" -x -a {}", shellQuoted(fmt::format("{}", fmt::join(option.choices, " "))));
      }
      script += fmt::format(" -d {}\n", shellQuoted(brief(option.description)));
    }
  }
  return script;
}

} // namespace jitscope::app
