// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

/// Signatures of templates, e.g. "f32[64,?], i64[], \"relu\"", taken apart.
namespace jitscope::analysis {

/// A tensor's type, or a static value. Borrows the text of the signature.
struct SignatureArgument {
  std::string_view text;
  std::string_view elementType;
  std::vector<std::string_view> sizes;
  bool isTensor = false;
};

/// The arguments of a signature: the parts between commas that stand in no quotes, brackets or braces.
[[nodiscard]] std::vector<std::string_view> splitSignature(std::string_view signature);
/// One of them.
[[nodiscard]] SignatureArgument parseArgument(std::string_view text);

} // namespace jitscope::analysis
