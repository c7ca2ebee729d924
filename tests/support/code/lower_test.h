// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>

#include "support/code/jit_harness.h"
#include "support/code/lower_samples.h"

#include <memory>
#include <string_view>

/// The opening of every program that tests lowering. Included by test programs alone, hence the names at the top.
using namespace jitscope;
using graph::DType;
using graph::GraphBuilder;
using graph::NodeIndex;
using graph::Op;
using graph::Shape;
using testing::checkAgainstReference;
using testing::graphOf;
using testing::HarnessOptions;
using testing::ReferenceArray;
using testing::typeOf;

using GraphPointer = std::shared_ptr<const graph::Graph>;

Q_DECLARE_METATYPE(jitscope::graph::DType)
Q_DECLARE_METATYPE(jitscope::graph::Op)
Q_DECLARE_METATYPE(jitscope::graph::Shape)

/// For comparisons that show both sides.
inline QString text(std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); }
