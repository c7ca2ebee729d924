// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The text form of LLVM's IR (https://llvm.org/docs/LangRef.html), read line by line as far as comparing functions needs it.
namespace jitscope::analysis {

enum class IrTokenKind : std::uint8_t {
  Space,
  Word,           ///< keywords, types, numbers; a vector type is one
  Punctuation,    ///< one character
  Text,           ///< "quoted"
  Local,          ///< %value or %label, as it stands
  Label,          ///< the head of a block; the token is the local that it defines
  Global,         ///< @symbol
  Metadata,       ///< !12
  AttributeGroup, ///< #3
};

struct IrToken {
  IrTokenKind kind = IrTokenKind::Word;
  std::string text;
};

struct IrLine {
  std::vector<IrToken> tokens;
  /// Where the token stands that names the line's result or its block.
  std::optional<std::size_t> definition;
  bool isHead = false; ///< "define …": its locals are the parameters
  [[nodiscard]] bool isLabel() const { return !tokens.empty() && tokens.front().kind == IrTokenKind::Label; }
  [[nodiscard]] bool isPhi() const;
  /// What the line does, e.g. "fdiv", "call", "label", "}".
  [[nodiscard]] std::string_view operation() const;
};

/// What of the text is kept. The same for all texts that are compared.
struct IrTextOptions {
  bool debugInfo = false; ///< records, intrinsics and attachments of debug information
  /// Attributes of functions, parameters and calls, linkage hints, and metadata that is attached to instructions, except for
  /// `!llvm.loop`, which is kept anyway.
  bool attributes = false;
  /// Values, blocks and metadata keep the names and numbers that LLVM gave them, on each side its own.
  bool originalNames = false;
  /// How symbols are shown: by the linker's name. Others lose the hash at the end of the names that lowering makes.
  std::map<std::string, std::string, std::less<>> symbolNames = {};
};

/// The lines of a text except for what is not kept, empty lines and comments. A function whose first block has no label gets one,
/// so that every block begins alike. Any text can be read; text that is not IR becomes words.
[[nodiscard]] std::vector<IrLine> readIr(std::string_view text, const IrTextOptions &options = {});

/// Instructions in a function's text, without those of debug information: as `llvm::Function::getInstructionCount`.
[[nodiscard]] std::uint64_t instructionsIn(std::string_view text);

/// The local that stands for a first block without a label where nothing refers to it.
inline constexpr std::string_view kEntryLocal = "%<entry>";
/// Whether a local, with its %, is one that LLVM numbered.
[[nodiscard]] bool isNumbered(std::string_view local);

/// Without the hash that lowering puts at the end of symbols: "_" and 16 hexadecimal digits, maybe with "_entry" after them.
[[nodiscard]] std::string withoutSymbolHash(std::string_view symbol);

} // namespace jitscope::analysis
