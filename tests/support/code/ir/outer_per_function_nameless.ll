define noundef i32 @_ZN8__main__18outer_logp_wrapperB2v1B46c8tJTIcFHzwl2ILiXkcBV0KBSSP8YgsOJmBoFUEkNQE_3dEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE(ptr noalias nocapture writeonly %0, ptr noalias nocapture writeonly %1, i64 %2, ptr %3, ptr nocapture readnone %4, i64 %5, i64 %6, ptr nocapture readonly %7, i64 %8, i64 %9, ptr %10, ptr nocapture readnone %11, i64 %12, i64 %13, ptr nocapture readonly %14, i64 %15, i64 %16, ptr %17, ptr nocapture readnone %18, i64 %19, i64 %20, ptr nocapture readonly %21, i64 %22, i64 %23) local_unnamed_addr #0 {
  tail call fastcc void @NRT_incref(ptr %3)
  tail call fastcc void @NRT_incref(ptr %10)
  tail call fastcc void @NRT_incref(ptr %17)
  %25 = icmp slt i64 %2, 0
  br i1 %25, label %70, label %26, !prof !0

26:                                               ; preds = %24
  %27 = icmp ugt i64 %2, 1152921504606846975
  br i1 %27, label %70, label %28, !prof !0

28:                                               ; preds = %26
  %29 = shl nuw nsw i64 %2, 3
  %30 = tail call ptr @NRT_MemInfo_alloc_safe_aligned(i64 %29, i32 32), !noalias !1
  %31 = icmp eq ptr %30, null
  br i1 %31, label %70, label %72, !prof !0

32:                                               ; preds = %78, %32
  %33 = phi i64 [ %34, %32 ], [ 0, %78 ]
  %34 = add nuw nsw i64 %33, 1
  %35 = getelementptr double, ptr %7, i64 %33
  %36 = load double, ptr %35, align 8
  %37 = getelementptr double, ptr %14, i64 %33
  %38 = load double, ptr %37, align 8
  %39 = getelementptr double, ptr %21, i64 %33
  %40 = load double, ptr %39, align 8
  %41 = fdiv double %36, %38
  %42 = fmul double %41, %40
  %43 = insertelement <2 x double> poison, double %41, i64 0
  %44 = insertelement <2 x double> %43, double %42, i64 1
  %45 = insertelement <2 x double> poison, double %38, i64 0
  %46 = shufflevector <2 x double> %45, <2 x double> poison, <2 x i32> zeroinitializer
  %47 = fdiv <2 x double> %44, %46
  %48 = tail call <2 x double> @_ZGVbN2v_exp(<2 x double> %47)
  %49 = extractelement <2 x double> %48, i64 1
  %50 = extractelement <2 x double> %48, i64 0
  %51 = getelementptr double, ptr %74, i64 %33
  store double %50, ptr %51, align 8
  %52 = getelementptr double, ptr %80, i64 %33
  store double %49, ptr %52, align 8
  %53 = icmp eq i64 %34, %2
  br i1 %53, label %56, label %32

54:                                               ; preds = %77, %70, %56
  %55 = phi i32 [ 0, %56 ], [ 1, %70 ], [ 1, %77 ]
  ret i32 %55

56:                                               ; preds = %78, %32
  store ptr %30, ptr %0, align 8
  %57 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr null, ptr %57, align 8
  %58 = getelementptr inbounds i8, ptr %0, i64 16
  store i64 %2, ptr %58, align 8
  %59 = getelementptr inbounds i8, ptr %0, i64 24
  store i64 8, ptr %59, align 8
  %60 = getelementptr inbounds i8, ptr %0, i64 32
  store ptr %74, ptr %60, align 8
  %61 = getelementptr inbounds i8, ptr %0, i64 40
  store i64 %2, ptr %61, align 8
  %62 = getelementptr inbounds i8, ptr %0, i64 48
  store i64 8, ptr %62, align 8
  %63 = getelementptr inbounds i8, ptr %0, i64 56
  store ptr %75, ptr %63, align 8
  %64 = getelementptr inbounds i8, ptr %0, i64 64
  store ptr null, ptr %64, align 8
  %65 = getelementptr inbounds i8, ptr %0, i64 72
  store i64 %2, ptr %65, align 8
  %66 = getelementptr inbounds i8, ptr %0, i64 80
  store i64 8, ptr %66, align 8
  %67 = getelementptr inbounds i8, ptr %0, i64 88
  store ptr %80, ptr %67, align 8
  %68 = getelementptr inbounds i8, ptr %0, i64 96
  store i64 %2, ptr %68, align 8
  %69 = getelementptr inbounds i8, ptr %0, i64 104
  store i64 8, ptr %69, align 8
  tail call fastcc void @NRT_decref(ptr %17)
  tail call fastcc void @NRT_decref(ptr %10)
  tail call fastcc void @NRT_decref(ptr %3)
  br label %54

70:                                               ; preds = %28, %26, %24
  %71 = phi ptr [ @.const.picklebuf.140172424165248, %28 ], [ @.const.picklebuf.140172425489792, %26 ], [ @.const.picklebuf.140172425483712, %24 ]
  store ptr %71, ptr %1, align 8
  br label %54

72:                                               ; preds = %28
  %73 = getelementptr i8, ptr %30, i64 24
  %74 = load ptr, ptr %73, align 8, !noalias !11
  %75 = tail call ptr @NRT_MemInfo_alloc_safe_aligned(i64 %29, i32 32), !noalias !12
  %76 = icmp eq ptr %75, null
  br i1 %76, label %77, label %78, !prof !0

77:                                               ; preds = %72
  store ptr @.const.picklebuf.140172424165248, ptr %1, align 8
  br label %54

78:                                               ; preds = %72
  %79 = getelementptr i8, ptr %75, i64 24
  %80 = load ptr, ptr %79, align 8, !noalias !22
  %81 = icmp eq i64 %2, 0
  br i1 %81, label %56, label %32
}
