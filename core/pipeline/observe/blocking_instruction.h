// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace llvm {
class BasicBlock;
} // namespace llvm
namespace jitscope::event {
struct Remark;
} // namespace jitscope::event

namespace jitscope::pipeline {

/// The instruction of `block` that a remark of the loop vectorizer is about, as a few words: "call exp", "load double",
/// "insertelement <2 x double>". Remarks give its location and kind but not its name. Empty where that could be several.
[[nodiscard]] std::string blockingInstruction(const llvm::BasicBlock &block, const event::Remark &remark);

} // namespace jitscope::pipeline
