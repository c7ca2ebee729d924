// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <fmt/format.h>

/// Modules from elsewhere, as a compiler for arrays might hand them over: a function of scalars with two results behind a pointer,
/// and a loop that calls it for each element.
namespace jitscope::test {

inline constexpr const char *kInnerModule =
    R"ll(target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @inner(ptr noalias nocapture %results, double %a, double %b, double %c) {
entry:
  %q = fdiv double %a, %b
  %s = fdiv double %q, %b
  %e = call double @llvm.exp.f64(double %s)
  %t = fmul double %q, %c
  %u = fdiv double %t, %b
  %f = call double @llvm.exp.f64(double %u)
  %pair.0 = insertvalue { double, double } undef, double %e, 0
  %pair.1 = insertvalue { double, double } %pair.0, double %f, 1
  store { double, double } %pair.1, ptr %results
  ret i32 0
}

declare double @llvm.exp.f64(double)
)ll";

inline constexpr const char *kOuterModule =
    R"ll(target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @outer(ptr noalias %x, ptr noalias %y, ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n) {
entry:
  %results = alloca { double, double }
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %a.at = getelementptr double, ptr %a, i64 %i
  %b.at = getelementptr double, ptr %b, i64 %i
  %c.at = getelementptr double, ptr %c, i64 %i
  %a.value = load double, ptr %a.at
  %b.value = load double, ptr %b.at
  %c.value = load double, ptr %c.at
  %status = call i32 @inner(ptr %results, double %a.value, double %b.value, double %c.value)
  %pair = load { double, double }, ptr %results
  %first = extractvalue { double, double } %pair, 0
  %second = extractvalue { double, double } %pair, 1
  %x.at = getelementptr double, ptr %x, i64 %i
  %y.at = getelementptr double, ptr %y, i64 %i
  store double %first, ptr %x.at
  store double %second, ptr %y.at
  %next = add i64 %i, 1
  br label %head
done:
  ret i32 0
}

declare i32 @inner(ptr noalias nocapture, double, double, double)
)ll";

/// A module of `count` small functions that a first one calls in turn.
inline std::string wideModule(int count) {
  std::string text = "define i64 @first(i64 %x) {\n";
  std::string value = "%x";
  for (int i = 0; i < count; ++i) {
    text += fmt::format("  %v{} = call i64 @small{}(i64 {})\n", i, i, value);
    value = fmt::format("%v{}", i);
  }
  text += fmt::format("  ret i64 {}\n}}\n", value);
  for (int i = 0; i < count; ++i) {
    text += fmt::format("define i64 @small{}(i64 %x) noinline {{\n  %y = mul i64 %x, {}\n  %z = xor i64 %y, %x\n  ret i64 %z\n}}\n",
                        i, 2 * i + 3);
  }
  return text;
}

} // namespace jitscope::test
