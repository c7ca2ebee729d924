; The functions of module_samples.h as LLVM 14 wrote them, with typed pointers. LLVM 19 reads such bitcode but no such text:
;   llvm-as-14 inner.ll && llvm-as-14 outer.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @inner({ double, double }* noalias nocapture %results, double %a, double %b, double %c) {
entry:
  %q = fdiv double %a, %b
  %s = fdiv double %q, %b
  %e = call double @llvm.exp.f64(double %s)
  %t = fmul double %q, %c
  %u = fdiv double %t, %b
  %f = call double @llvm.exp.f64(double %u)
  %pair.0 = insertvalue { double, double } undef, double %e, 0
  %pair.1 = insertvalue { double, double } %pair.0, double %f, 1
  store { double, double } %pair.1, { double, double }* %results
  ret i32 0
}

declare double @llvm.exp.f64(double)
