define i32 @_ZN8__main__5innerB2v5B46c8tJTIcFHzwl2ILiXkcBV0KBSSP8YgsOJmBoFUEkNQE_3dEddd(ptr noalias nocapture %retptr, ptr noalias nocapture %excinfo, double %arg.a1, double %arg.a2, double %arg.b1) #0 {
entry:
  %.10 = fdiv double %arg.a1, %arg.a2
  %.14 = fdiv double %.10, %arg.a2
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %.17.0 = phi double [ 0.000000e+00, %entry ], [ %.22, %for.body ]
  %loop.index = phi i1 [ true, %entry ], [ false, %for.body ]
  br i1 %loop.index, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %.22 = call double @llvm.exp.f64(double %.14)
  br label %for.cond

for.end:                                          ; preds = %for.cond
  %.31 = fmul double %.10, %arg.b1
  %.35 = fdiv double %.31, %arg.a2
  br label %for.cond.1

for.cond.1:                                       ; preds = %for.body.1, %for.end
  %.38.0 = phi double [ 0.000000e+00, %for.end ], [ %.43, %for.body.1 ]
  %loop.index.1 = phi i1 [ true, %for.end ], [ false, %for.body.1 ]
  br i1 %loop.index.1, label %for.body.1, label %for.end.1

for.body.1:                                       ; preds = %for.cond.1
  %.43 = call double @llvm.exp.f64(double %.35)
  br label %for.cond.1

for.end.1:                                        ; preds = %for.cond.1
  store double %.17.0, ptr %retptr, align 8
  %retptr.repack1 = getelementptr inbounds i8, ptr %retptr, i64 8
  store double %.38.0, ptr %retptr.repack1, align 8
  ret i32 0
}
