// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/observe/readable_name.h"

#include <cstdlib>
#include <memory>

#include <llvm/Demangle/Demangle.h>

namespace jitscope::pipeline {

namespace {

/// What an Itanium-mangled name says, parameters aside; "" where it is none.
std::string functionNameIn(const std::string &mangled) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str()) || !demangler.isFunction()) {
    return "";
  }
  std::size_t size = 0;
  const std::unique_ptr<char, void (*)(void *)> name(demangler.getFunctionName(nullptr, &size), std::free);
  return name ? std::string(name.get()) : "";
}

/// Numba tags every name with what it was compiled for; the tags say nothing to people.
std::string withoutAbiTags(std::string name) {
  for (std::size_t tag = name.find("[abi:"); tag != std::string::npos; tag = name.find("[abi:", tag)) {
    const std::size_t end = name.find(']', tag);
    name.erase(tag, end == std::string::npos ? end : end - tag + 1);
  }
  return name;
}

} // namespace

std::string readableName(std::string_view symbol) {
  const std::size_t begin = symbol.find("_Z");
  if (begin == std::string_view::npos) {
    // Rust's and D's own schemes, and names that are not mangled at all.
    return llvm::demangle(symbol);
  }
  // What stands before it ("cfunc.") is no part of the mangling.
  const std::string name = withoutAbiTags(functionNameIn(std::string(symbol.substr(begin))));
  return name.empty() ? std::string(symbol) : std::string(symbol.substr(0, begin)) + name;
}

} // namespace jitscope::pipeline
