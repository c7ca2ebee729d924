// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class TargetLibraryInfoImpl;
class TargetMachine;
} // namespace llvm

namespace jitscope::lower {

/// What code is compiled for. Part of every cache key.
struct TargetSpec {
  std::string triple;
  std::string cpu;
  std::string features; ///< as LLVM spells them: "+avx2,-avx512f,…"; sorted
  friend bool operator==(const TargetSpec &, const TargetSpec &) = default;
};

/// The target for the option `cpu` on this machine: "native" is the host's CPU with exactly its features; any other name must be
/// one that LLVM knows (CompileTarget otherwise, naming the nearest) and gets that CPU's default features.
base::Result<TargetSpec> hostTarget(std::string_view cpu = "native");

/// The target for modules made for `triple`, which may be another machine's: as `hostTarget` where the architecture is this one's;
/// otherwise "native" stands for "generic", or for no CPU at all where LLVM has none of that name. CompileTarget for a triple or
/// CPU that LLVM does not know.
base::Result<TargetSpec> targetFor(const std::string &triple, std::string_view cpu);

/// The features of `spec` that its CPU's name does not imply, or implies with the other sign, spelled and ordered as in `features`:
/// a reader needs them besides the name.
std::string featuresBeyondCpu(const TargetSpec &spec);

/// The CPU names that `hostTarget` takes besides "native", sorted.
std::vector<std::string> knownCpus();

/// Whether this machine can execute code for `spec`: CompileTarget, naming the features it lacks. Compiling for another CPU is fine
/// as long as nothing is executed.
base::Result<void> checkRunsHere(const TargetSpec &spec);

/// A code generator for `spec` at optimization level `opt` (0 to 3), for code that is linked into this process: position
/// independent, code and data within 2 GiB of each other. Used by one thread at a time.
base::Result<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(const TargetSpec &spec, int opt);

/// What the optimizer may assume of library functions on `spec`. With `veclib` it knows the vector functions of libmvec; beyond
/// LLVM's own list that is tanh.
std::unique_ptr<llvm::TargetLibraryInfoImpl> createLibraryInfo(const TargetSpec &spec, bool veclib);

} // namespace jitscope::lower
