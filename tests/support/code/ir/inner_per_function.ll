define noundef i32 @_ZN8__main__5innerB2v5B46c8tJTIcFHzwl2ILiXkcBV0KBSSP8YgsOJmBoFUEkNQE_3dEddd(ptr noalias nocapture writeonly %retptr, ptr noalias nocapture readnone %excinfo, double %arg.a1, double %arg.a2, double %arg.b1) local_unnamed_addr #0 {
entry:
  %.10 = fdiv double %arg.a1, %arg.a2
  %.31 = fmul double %.10, %arg.b1
  %0 = insertelement <2 x double> poison, double %.10, i64 0
  %1 = insertelement <2 x double> %0, double %.31, i64 1
  %2 = insertelement <2 x double> poison, double %arg.a2, i64 0
  %3 = shufflevector <2 x double> %2, <2 x double> poison, <2 x i32> zeroinitializer
  %4 = fdiv <2 x double> %1, %3
  %5 = tail call <2 x double> @_ZGVbN2v_exp(<2 x double> %4)
  store <2 x double> %5, ptr %retptr, align 8
  ret i32 0
}
