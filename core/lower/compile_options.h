// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace jitscope::lower {

/// Everything a script or the command line may choose that changes the code of an executable.
struct CompileOptions {
  std::string pipeline = "deferred"; ///< name of the optimization pipeline
  int opt = 3;                       ///< optimization level, 0 to 3
  bool slp = true;                   ///< vectorize straight-line code
  bool loopVectorize = true;         ///< vectorize loops
  bool veclib = true;                ///< vector exp, log, sin, … from glibc's libmvec (up to 4 ulp) instead of scalar calls
  bool fastMath = false;      ///< reassociation, contraction, reciprocals, approximate functions; NaN and infinity stay meaningful
  std::string cpu = "native"; ///< the CPU to compile for; "native" is this machine's, with exactly its features

  friend bool operator==(const CompileOptions &, const CompileOptions &) = default;
};

/// One canonical line, e.g. "pipeline=deferred opt=3 slp=on loop_vectorize=on veclib=on fast_math=off cpu=native".
std::string toText(const CompileOptions &options);

/// What differs on the way from `before` to `after`, e.g. "opt: 3 -> 2; slp: on -> off"; "" when nothing does.
std::string differenceOf(const CompileOptions &before, const CompileOptions &after);

} // namespace jitscope::lower
