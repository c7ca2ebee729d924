// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/observe/observation.h"

namespace jitscope::pipeline {

std::set<std::string> Observation::defaultRemarkPasses() {
  return {"gvn", "inline", "licm", "loop-unroll", "loop-vectorize", "slp-vectorizer"};
}

Observation Observation::none() {
  Observation none;
  none.passes = false;
  none.ir = IrDetail::Off;
  none.remarkPasses.clear();
  return none;
}

} // namespace jitscope::pipeline
