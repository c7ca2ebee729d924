// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/emit/emission.h"

namespace jitscope::lower {

/// The value of a scalar or of one element, from the values of its operands.
llvm::Value *emitOperation(Emission &emission, graph::NodeIndex index, llvm::ArrayRef<llvm::Value *> operands);

/// The call of a scalar graph: its result, or the struct of its results.
llvm::Value *emitScalarCall(Emission &emission, const graph::Graph &callee, llvm::ArrayRef<llvm::Value *> operands);

/// The step of a scalar; of a cluster of elementwise operations, as one nest of loops; of a concatenation.
void emitScalar(Emission &emission, const Step &step);
void emitLoops(Emission &emission, const Step &step);
void emitConcat(Emission &emission, const Step &step);

} // namespace jitscope::lower
