; See inner.ll.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @outer(double* noalias %x, double* noalias %y, double* noalias %a, double* noalias %b, double* noalias %c, i64 %n) {
entry:
  %results = alloca { double, double }
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %a.at = getelementptr double, double* %a, i64 %i
  %b.at = getelementptr double, double* %b, i64 %i
  %c.at = getelementptr double, double* %c, i64 %i
  %a.value = load double, double* %a.at
  %b.value = load double, double* %b.at
  %c.value = load double, double* %c.at
  %status = call i32 @inner({ double, double }* %results, double %a.value, double %b.value, double %c.value)
  %pair = load { double, double }, { double, double }* %results
  %first = extractvalue { double, double } %pair, 0
  %second = extractvalue { double, double } %pair, 1
  %x.at = getelementptr double, double* %x, i64 %i
  %y.at = getelementptr double, double* %y, i64 %i
  store double %first, double* %x.at
  store double %second, double* %y.at
  %next = add i64 %i, 1
  br label %head
done:
  ret i32 0
}

declare i32 @inner({ double, double }* noalias nocapture, double, double, double)
