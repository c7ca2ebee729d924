// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/code/ir_text.h"

#include "analysis/code/ir_lexer.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace jitscope::analysis {

namespace {

using Tokens = std::vector<IrToken>;

/// Attributes of functions, parameters, results and calls that say nothing of what is computed, and hints. Those in parentheses
/// have their content with them.
const std::unordered_set<std::string_view> kAttributes{
    "allocalign",   "allocptr",   "dead_on_unwind", "dso_local",    "dso_preemptable", "immarg",
    "inreg",        "nest",       "noalias",        "nocapture",    "noext",           "nofree",
    "nonnull",      "nosync",     "notail",         "noundef",      "readnone",        "readonly",
    "returned",     "signext",    "swiftself",      "tail",         "unnamed_addr",    "local_unnamed_addr",
    "writable",     "writeonly",  "zeroext",        "captures",     "dereferenceable", "dereferenceable_or_null",
    "initializes",  "memory",     "nofpclass",      "range",        "nounwind",        "willreturn",
    "mustprogress", "norecurse",  "uwtable",        "alwaysinline", "inlinehint",      "noinline",
    "speculatable", "nocallback", "cold",           "hot",          "noreturn"};

bool is(const IrToken &token, IrTokenKind kind, std::string_view text) { return token.kind == kind && token.text == text; }
bool isPunctuation(const IrToken &token, std::string_view text) { return is(token, IrTokenKind::Punctuation, text); }

std::size_t skipSpace(const Tokens &tokens, std::size_t at) {
  while (at < tokens.size() && tokens[at].kind == IrTokenKind::Space) {
    ++at;
  }
  return at;
}

/// Past the parenthesis that belongs to the one at `at`.
std::size_t skipParentheses(const Tokens &tokens, std::size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    depth += isPunctuation(tokens[at], "(") ? 1 : isPunctuation(tokens[at], ")") ? -1 : 0;
    if (depth <= 0) {
      return at + 1;
    }
  }
  return at;
}

/// What stands between two tokens that are kept, without what is hidden.
class Filter {
public:
  explicit Filter(const IrTextOptions &options) : m_options(options) {}

  /// Whether the whole line is hidden.
  [[nodiscard]] bool hides(const Tokens &tokens) const {
    const std::size_t first = skipSpace(tokens, 0);
    if (first == tokens.size()) {
      return true;
    }
    const std::string &word = tokens[first].text;
    if (!m_options.attributes && word == "attributes" && tokens[first].kind == IrTokenKind::Word) {
      return true;
    }
    if (m_options.debugInfo) {
      return false;
    }
    const bool isMetadata = tokens[first].kind == IrTokenKind::Metadata || (first == 0 && word.starts_with('!'));
    const bool isRecord = word.starts_with("#dbg_");
    const bool isIntrinsic = std::ranges::any_of(
        tokens, [](const IrToken &token) { return token.kind == IrTokenKind::Global && token.text.starts_with("@llvm.dbg."); });
    return isMetadata || isRecord || isIntrinsic;
  }

  [[nodiscard]] Tokens apply(const Tokens &tokens) const {
    Tokens kept;
    kept.reserve(tokens.size());
    std::size_t at = 0;
    while (at < tokens.size()) {
      const std::size_t end = hiddenUntil(tokens, at, kept);
      if (end == at) {
        kept.push_back(tokens[at++]);
        continue;
      }
      at = end;
      // One space is enough around what is left out, and none before a parenthesis or comma.
      const bool hasSpace = !kept.empty() && kept.back().kind == IrTokenKind::Space;
      const bool needsNone = at == tokens.size() || isPunctuation(tokens[at], ",") || isPunctuation(tokens[at], ")");
      if (hasSpace && needsNone) {
        kept.pop_back();
      } else if ((kept.empty() || hasSpace) && at < tokens.size() && tokens[at].kind == IrTokenKind::Space) {
        ++at;
      }
    }
    return kept;
  }

private:
  /// Past what is hidden from `at` on; `at` where that is kept.
  [[nodiscard]] std::size_t hiddenUntil(const Tokens &tokens, std::size_t at, const Tokens &kept) const {
    if (const std::size_t end = attachmentUntil(tokens, at); end != at) {
      return end;
    }
    if (m_options.attributes) {
      return at;
    }
    const IrToken &token = tokens[at];
    if (token.kind == IrTokenKind::AttributeGroup) {
      return at + 1;
    }
    if (token.kind != IrTokenKind::Word) {
      return at;
    }
    if (kAttributes.contains(token.text)) {
      const bool hasContent = at + 1 < tokens.size() && isPunctuation(tokens[at + 1], "(");
      return hasContent ? skipParentheses(tokens, at + 1) : at + 1;
    }
    // "align 8" belongs to a load or store after a comma, else to a parameter.
    if (token.text == "align" && !kept.empty()) {
      // Of a reversed view the algorithm for ranges gives an iterator that outlives the view.
      const auto before = // NOLINTNEXTLINE(modernize-use-ranges)
          std::find_if(kept.rbegin(), kept.rend(), [](const IrToken &entry) { return entry.kind != IrTokenKind::Space; });
      const std::size_t number = skipSpace(tokens, at + 1);
      if (before != kept.rend() && !isPunctuation(*before, ",") && number < tokens.size()) {
        return number + 1;
      }
    }
    return at;
  }

  /// ", !name !12", or " !name !12" in the head of a function.
  [[nodiscard]] std::size_t attachmentUntil(const Tokens &tokens, std::size_t at) const {
    const std::size_t name = skipSpace(tokens, isPunctuation(tokens[at], ",") ? at + 1 : at);
    if (name >= tokens.size() || tokens[name].kind != IrTokenKind::Word || !tokens[name].text.starts_with('!')) {
      return at;
    }
    const std::size_t node = skipSpace(tokens, name + 1);
    if (node >= tokens.size() || tokens[node].kind != IrTokenKind::Metadata || tokens[name].text == "!llvm.loop") {
      return at;
    }
    const bool isKept = tokens[name].text == "!dbg" ? m_options.debugInfo : m_options.attributes;
    return isKept ? at : node + 1;
  }

  const IrTextOptions &m_options;
};

/// Shows symbols by their short names, as far as these differ from each other.
void shortenSymbols(std::vector<IrLine> &lines, const IrTextOptions &options) {
  std::unordered_map<std::string, std::string> shown;
  std::unordered_map<std::string, std::size_t> uses;
  for (const IrLine &line : lines) {
    for (const IrToken &token : line.tokens) {
      if (token.kind == IrTokenKind::Global && !shown.contains(token.text)) {
        std::string_view symbol = std::string_view(token.text).substr(1);
        if (symbol.starts_with('"') && symbol.size() > 1) {
          symbol = symbol.substr(1, symbol.size() - 2);
        }
        const auto known = options.symbolNames.find(symbol);
        std::string name = '@' + (known != options.symbolNames.end() ? known->second : withoutSymbolHash(symbol));
        name = known == options.symbolNames.end() && name.size() == symbol.size() + 1 ? token.text : name;
        ++uses[name];
        shown.emplace(token.text, std::move(name));
      }
    }
  }
  for (IrLine &line : lines) {
    for (IrToken &token : line.tokens) {
      if (token.kind == IrTokenKind::Global) {
        const std::string &name = shown[token.text];
        token.text = uses[name] == 1 ? name : token.text;
      }
    }
  }
}

std::optional<std::size_t> definitionOf(const Tokens &tokens) {
  const std::size_t first = skipSpace(tokens, 0);
  if (first == tokens.size()) {
    return std::nullopt;
  }
  if (tokens[first].kind == IrTokenKind::Label) {
    return first;
  }
  const std::size_t after = skipSpace(tokens, first + 1);
  if (tokens[first].kind == IrTokenKind::Local && after < tokens.size() && isPunctuation(tokens[after], "=")) {
    return first;
  }
  return std::nullopt;
}

/// The number that LLVM gave to a first block without a label, where something refers to it.
std::string entryLocal(const std::vector<IrLine> &lines) {
  std::unordered_set<std::string_view> defined;
  for (const IrLine &line : lines) {
    for (std::size_t i = 0; i < line.tokens.size(); ++i) {
      if ((line.isHead && line.tokens[i].kind == IrTokenKind::Local) || line.definition == i) {
        defined.insert(line.tokens[i].text);
      }
    }
  }
  for (const IrLine &line : lines) {
    for (const IrToken &token : line.tokens) {
      if (token.kind == IrTokenKind::Local && isNumbered(token.text) && !defined.contains(token.text)) {
        return token.text;
      }
    }
  }
  return std::string(kEntryLocal);
}

void addEntryLabel(std::vector<IrLine> &lines) {
  const auto head = std::ranges::find_if(lines, &IrLine::isHead);
  if (head == lines.end() || std::next(head) == lines.end() || std::next(head)->isLabel()) {
    return;
  }
  IrLine label;
  label.tokens.push_back({IrTokenKind::Label, entryLocal(lines)});
  label.definition = 0;
  lines.insert(std::next(head), std::move(label));
}

} // namespace

std::string withoutSymbolHash(std::string_view symbol) {
  constexpr std::size_t kDigits = 16;
  constexpr std::string_view kEntry = "_entry";
  std::string_view stem = symbol;
  const bool isEntry = stem.ends_with(kEntry);
  stem.remove_suffix(isEntry ? kEntry.size() : 0);
  if (stem.size() < kDigits + 2 || stem[stem.size() - kDigits - 1] != '_') {
    return std::string(symbol);
  }
  const bool isHash = std::ranges::all_of(stem.substr(stem.size() - kDigits),
                                          [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  if (!isHash) {
    return std::string(symbol);
  }
  stem.remove_suffix(kDigits + 1);
  return std::string(stem) + std::string(isEntry ? kEntry : "");
}

bool isNumbered(std::string_view local) {
  return local.size() > 1 && std::ranges::all_of(local.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

bool IrLine::isPhi() const { return operation() == "phi"; }

std::string_view IrLine::operation() const {
  if (isLabel()) {
    return "label";
  }
  std::size_t at = skipSpace(tokens, definition ? *definition + 1 : 0);
  if (definition) {
    at = skipSpace(tokens, at + 1); // past "="
  }
  while (at < tokens.size() && (tokens[at].text == "tail" || tokens[at].text == "musttail" || tokens[at].text == "notail")) {
    at = skipSpace(tokens, at + 1);
  }
  return at < tokens.size() ? std::string_view(tokens[at].text) : std::string_view();
}

std::vector<IrLine> readIr(std::string_view text, const IrTextOptions &options) {
  const Filter filter(options);
  std::vector<IrLine> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Tokens tokens = lexIrLine(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (filter.hides(tokens)) {
      continue;
    }
    IrLine line;
    line.tokens = filter.apply(tokens);
    if (line.tokens.empty()) {
      continue;
    }
    line.definition = definitionOf(line.tokens);
    line.isHead = is(line.tokens.front(), IrTokenKind::Word, "define");
    lines.push_back(std::move(line));
  }
  addEntryLabel(lines);
  shortenSymbols(lines, options);
  return lines;
}

std::uint64_t instructionsIn(std::string_view text) {
  constexpr std::array<std::string_view, 5> kNone{"", "}", "catch", "cleanup", "filter"}; // the latter belong to a landingpad
  std::uint64_t count = 0;
  bool isInTable = false; // of a switch
  for (const IrLine &line : readIr(text)) {
    const bool ends = line.operation() == "]";
    if (!isInTable && !ends && !line.isHead && !line.isLabel() && std::ranges::find(kNone, line.operation()) == kNone.end()) {
      ++count;
    }
    const bool begins = !line.tokens.empty() && line.tokens.back().text == "[";
    isInTable = begins || (isInTable && !ends);
  }
  return count;
}

} // namespace jitscope::analysis
