// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "pipeline/object_code.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm
namespace jitscope::event {
class CompileActivity;
} // namespace jitscope::event

namespace jitscope::jit {

/// Machine code for a module, as an object in memory. The module is used up by it (code generation rewrites it).
/// `activity` hears which pass of the code generator runs on which function. CompileCodegen when the target cannot emit it.
base::Result<pipeline::ObjectCode> emitObject(llvm::Module &module, llvm::TargetMachine &targetMachine,
                                              event::CompileActivity *activity = nullptr);

/// Bytes of machine code in an object; StorageCorrupt when it cannot be read as one.
base::Result<std::uint64_t> codeBytesOf(const pipeline::ObjectCode &object);

} // namespace jitscope::jit
