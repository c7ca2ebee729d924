// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/observe/function_text.h"

#include <llvm/IR/AssemblyAnnotationWriter.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>
#include <llvm/Support/FormattedStream.h>
#include <llvm/Support/raw_ostream.h>

namespace jitscope::pipeline {

namespace {

/// Printing writes in pieces of a few bytes, and LLVM's stream for it takes over the buffer of this one, if it has any.
constexpr std::size_t kBufferBytes = 16384;

/// The numbers of `!dbg` nodes mean nothing without the module's metadata, so the places themselves are written.
class LineWriter final : public llvm::AssemblyAnnotationWriter {
public:
  void printInfoComment(const llvm::Value &value, llvm::formatted_raw_ostream &stream) override {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr || !instruction->getDebugLoc()) {
      return;
    }
    const llvm::DebugLoc &location = instruction->getDebugLoc();
    if (location.getLine() != 0) {
      stream << " ; line " << location.getLine();
      if (location.getCol() != 0) {
        stream << ':' << location.getCol();
      }
    }
  }
};

} // namespace

std::string textOf(const llvm::Function &function) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream.SetBufferSize(kBufferBytes);
  LineWriter lines;
  function.print(stream, &lines);
  stream.flush();
  return text;
}

} // namespace jitscope::pipeline
