define noundef i32 @_ZN8__main__18outer_logp_wrapperB2v1B46c8tJTIcFHzwl2ILiXkcBV0KBSSP8YgsOJmBoFUEkNQE_3dEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE(ptr noalias nocapture writeonly %retptr, ptr noalias nocapture writeonly %excinfo, i64 %arg.N, ptr %arg.a1.0, ptr nocapture readnone %arg.a1.1, i64 %arg.a1.2, i64 %arg.a1.3, ptr nocapture readonly %arg.a1.4, i64 %arg.a1.5.0, i64 %arg.a1.6.0, ptr %arg.a2.0, ptr nocapture readnone %arg.a2.1, i64 %arg.a2.2, i64 %arg.a2.3, ptr nocapture readonly %arg.a2.4, i64 %arg.a2.5.0, i64 %arg.a2.6.0, ptr %arg.b1.0, ptr nocapture readnone %arg.b1.1, i64 %arg.b1.2, i64 %arg.b1.3, ptr nocapture readonly %arg.b1.4, i64 %arg.b1.5.0, i64 %arg.b1.6.0) local_unnamed_addr #0 !dbg !5 {
entry:
  tail call fastcc void @NRT_incref(ptr %arg.a1.0), !dbg !61
  tail call fastcc void @NRT_incref(ptr %arg.a2.0), !dbg !62
  tail call fastcc void @NRT_incref(ptr %arg.b1.0), !dbg !63
  %.14.i = icmp slt i64 %arg.N, 0, !dbg !64
    #dbg_value(i1 %.14.i, !9, !DIExpression(), !64)
  br i1 %.14.i, label %B0.if, label %B0.endif.endif.i, !dbg !65, !prof !66

B0.endif.endif.i:                                 ; preds = %entry
  %.30.i = icmp ugt i64 %arg.N, 1152921504606846975, !dbg !67
    #dbg_value(i1 %.30.i, !11, !DIExpression(), !67)
  br i1 %.30.i, label %B0.if, label %B0.endif.endif.endif.i, !dbg !68, !prof !66

B0.endif.endif.endif.i:                           ; preds = %B0.endif.endif.i
  %.29.i = shl nuw nsw i64 %arg.N, 3, !dbg !69
    #dbg_value(i64 %.29.i, !12, !DIExpression(), !69)
  %.7.i.i.i = tail call ptr @NRT_MemInfo_alloc_safe_aligned(i64 %.29.i, i32 32), !dbg !70, !noalias !71
    #dbg_value(ptr %.7.i.i.i, !14, !DIExpression(), !70)
  %.8.i.i.i = icmp eq ptr %.7.i.i.i, null, !dbg !81
    #dbg_value(i1 %.8.i.i.i, !15, !DIExpression(), !81)
  br i1 %.8.i.i.i, label %B0.if, label %B0.endif.endif.endif.i4, !dbg !82, !prof !66

B140:                                             ; preds = %B0.endif.endif, %B140
  %.154.048 = phi i64 [ %.223, %B140 ], [ 0, %B0.endif.endif ], !dbg !83
    #dbg_value(i64 %.154.048, !16, !DIExpression(), !83)
  %.223 = add nuw nsw i64 %.154.048, 1, !dbg !84
    #dbg_value(i64 %.223, !17, !DIExpression(), !84)
  %0 = getelementptr double, ptr %arg.a1.4, i64 %.154.048, !dbg !85
    #dbg_value(ptr %0, !18, !DIExpression(), !85)
  %.278 = load double, ptr %0, align 8, !dbg !86
    #dbg_value(double %.278, !19, !DIExpression(), !86)
  %1 = getelementptr double, ptr %arg.a2.4, i64 %.154.048, !dbg !87
    #dbg_value(ptr %1, !20, !DIExpression(), !87)
  %.308 = load double, ptr %1, align 8, !dbg !88
    #dbg_value(double %.308, !21, !DIExpression(), !88)
  %2 = getelementptr double, ptr %arg.b1.4, i64 %.154.048, !dbg !89
    #dbg_value(ptr %2, !22, !DIExpression(), !89)
  %.338 = load double, ptr %2, align 8, !dbg !90
    #dbg_value(double %.338, !23, !DIExpression(), !90)
  %.10.i = fdiv double %.278, %.308, !dbg !91
    #dbg_value(double %.10.i, !24, !DIExpression(), !91)
  %.31.i = fmul double %.10.i, %.338, !dbg !92
    #dbg_value(double %.31.i, !25, !DIExpression(), !92)
  %3 = insertelement <2 x double> poison, double %.10.i, i64 0, !dbg !93
    #dbg_value(<2 x double> %3, !26, !DIExpression(), !93)
  %4 = insertelement <2 x double> %3, double %.31.i, i64 1, !dbg !94
    #dbg_value(<2 x double> %4, !28, !DIExpression(), !94)
  %5 = insertelement <2 x double> poison, double %.308, i64 0, !dbg !95
    #dbg_value(<2 x double> %5, !29, !DIExpression(), !95)
  %6 = shufflevector <2 x double> %5, <2 x double> poison, <2 x i32> zeroinitializer, !dbg !96
    #dbg_value(<2 x double> %6, !30, !DIExpression(), !96)
  %7 = fdiv <2 x double> %4, %6, !dbg !97
    #dbg_value(<2 x double> %7, !31, !DIExpression(), !97)
  %8 = tail call <2 x double> @_ZGVbN2v_exp(<2 x double> %7), !dbg !98
    #dbg_value(<2 x double> %8, !32, !DIExpression(), !98)
  %.339.sroa.0.8.vec.extract = extractelement <2 x double> %8, i64 1, !dbg !99
    #dbg_value(double %.339.sroa.0.8.vec.extract, !33, !DIExpression(), !99)
  %.339.sroa.0.0.vec.extract = extractelement <2 x double> %8, i64 0, !dbg !100
    #dbg_value(double %.339.sroa.0.0.vec.extract, !34, !DIExpression(), !100)
  %9 = getelementptr double, ptr %.52.val.i, i64 %.154.048, !dbg !101
    #dbg_value(ptr %9, !35, !DIExpression(), !101)
  store double %.339.sroa.0.0.vec.extract, ptr %9, align 8, !dbg !102
  %10 = getelementptr double, ptr %.52.val.i9, i64 %.154.048, !dbg !103
    #dbg_value(ptr %10, !36, !DIExpression(), !103)
  store double %.339.sroa.0.8.vec.extract, ptr %10, align 8, !dbg !104
  %exitcond.not = icmp eq i64 %.223, %arg.N, !dbg !105
    #dbg_value(i1 %exitcond.not, !37, !DIExpression(), !105)
  br i1 %exitcond.not, label %B240, label %B140, !dbg !106

common.ret:                                       ; preds = %B0.endif.if, %B0.if, %B240
  %common.ret.op = phi i32 [ 0, %B240 ], [ 1, %B0.if ], [ 1, %B0.endif.if ], !dbg !107
    #dbg_value(i32 %common.ret.op, !38, !DIExpression(), !107)
  ret i32 %common.ret.op, !dbg !108

B240:                                             ; preds = %B0.endif.endif, %B140
  store ptr %.7.i.i.i, ptr %retptr, align 8, !dbg !109
  %retptr.repack3 = getelementptr inbounds i8, ptr %retptr, i64 8, !dbg !110
    #dbg_value(ptr %retptr.repack3, !40, !DIExpression(), !110)
  store ptr null, ptr %retptr.repack3, align 8, !dbg !111
  %retptr.repack5 = getelementptr inbounds i8, ptr %retptr, i64 16, !dbg !112
    #dbg_value(ptr %retptr.repack5, !41, !DIExpression(), !112)
  store i64 %arg.N, ptr %retptr.repack5, align 8, !dbg !113
  %retptr.repack7 = getelementptr inbounds i8, ptr %retptr, i64 24, !dbg !114
    #dbg_value(ptr %retptr.repack7, !42, !DIExpression(), !114)
  store i64 8, ptr %retptr.repack7, align 8, !dbg !115
  %retptr.repack9 = getelementptr inbounds i8, ptr %retptr, i64 32, !dbg !116
    #dbg_value(ptr %retptr.repack9, !43, !DIExpression(), !116)
  store ptr %.52.val.i, ptr %retptr.repack9, align 8, !dbg !117
  %retptr.repack11 = getelementptr inbounds i8, ptr %retptr, i64 40, !dbg !118
    #dbg_value(ptr %retptr.repack11, !44, !DIExpression(), !118)
  store i64 %arg.N, ptr %retptr.repack11, align 8, !dbg !119
  %retptr.repack13 = getelementptr inbounds i8, ptr %retptr, i64 48, !dbg !120
    #dbg_value(ptr %retptr.repack13, !45, !DIExpression(), !120)
  store i64 8, ptr %retptr.repack13, align 8, !dbg !121
  %retptr.repack1 = getelementptr inbounds i8, ptr %retptr, i64 56, !dbg !122
    #dbg_value(ptr %retptr.repack1, !46, !DIExpression(), !122)
  store ptr %.7.i.i.i6, ptr %retptr.repack1, align 8, !dbg !123
  %retptr.repack1.repack15 = getelementptr inbounds i8, ptr %retptr, i64 64, !dbg !124
    #dbg_value(ptr %retptr.repack1.repack15, !47, !DIExpression(), !124)
  store ptr null, ptr %retptr.repack1.repack15, align 8, !dbg !125
  %retptr.repack1.repack17 = getelementptr inbounds i8, ptr %retptr, i64 72, !dbg !126
    #dbg_value(ptr %retptr.repack1.repack17, !48, !DIExpression(), !126)
  store i64 %arg.N, ptr %retptr.repack1.repack17, align 8, !dbg !127
  %retptr.repack1.repack19 = getelementptr inbounds i8, ptr %retptr, i64 80, !dbg !128
    #dbg_value(ptr %retptr.repack1.repack19, !49, !DIExpression(), !128)
  store i64 8, ptr %retptr.repack1.repack19, align 8, !dbg !129
  %retptr.repack1.repack21 = getelementptr inbounds i8, ptr %retptr, i64 88, !dbg !130
    #dbg_value(ptr %retptr.repack1.repack21, !50, !DIExpression(), !130)
  store ptr %.52.val.i9, ptr %retptr.repack1.repack21, align 8, !dbg !131
  %retptr.repack1.repack23 = getelementptr inbounds i8, ptr %retptr, i64 96, !dbg !132
    #dbg_value(ptr %retptr.repack1.repack23, !51, !DIExpression(), !132)
  store i64 %arg.N, ptr %retptr.repack1.repack23, align 8, !dbg !133
  %retptr.repack1.repack25 = getelementptr inbounds i8, ptr %retptr, i64 104, !dbg !134
    #dbg_value(ptr %retptr.repack1.repack25, !52, !DIExpression(), !134)
  store i64 8, ptr %retptr.repack1.repack25, align 8, !dbg !135
  tail call fastcc void @NRT_decref(ptr %arg.b1.0), !dbg !136
  tail call fastcc void @NRT_decref(ptr %arg.a2.0), !dbg !137
  tail call fastcc void @NRT_decref(ptr %arg.a1.0), !dbg !138
  br label %common.ret, !dbg !139

B0.if:                                            ; preds = %B0.endif.endif.endif.i, %B0.endif.endif.i, %entry
  %excinfo.1.0.ph = phi ptr [ @.const.picklebuf.140172424165248, %B0.endif.endif.endif.i ], [ @.const.picklebuf.140172425489792, %B0.endif.endif.i ], [ @.const.picklebuf.140172425483712, %entry ], !dbg !140
    #dbg_value(ptr %excinfo.1.0.ph, !53, !DIExpression(), !140)
  store ptr %excinfo.1.0.ph, ptr %excinfo, align 8, !dbg !141
  br label %common.ret, !dbg !142

B0.endif.endif.endif.i4:                          ; preds = %B0.endif.endif.endif.i
  %11 = getelementptr i8, ptr %.7.i.i.i, i64 24, !dbg !143
    #dbg_value(ptr %11, !54, !DIExpression(), !143)
  %.52.val.i = load ptr, ptr %11, align 8, !dbg !144, !noalias !145
    #dbg_value(ptr %.52.val.i, !55, !DIExpression(), !144)
  %.7.i.i.i6 = tail call ptr @NRT_MemInfo_alloc_safe_aligned(i64 %.29.i, i32 32), !dbg !146, !noalias !147
    #dbg_value(ptr %.7.i.i.i6, !56, !DIExpression(), !146)
  %.8.i.i.i7 = icmp eq ptr %.7.i.i.i6, null, !dbg !157
    #dbg_value(i1 %.8.i.i.i7, !57, !DIExpression(), !157)
  br i1 %.8.i.i.i7, label %B0.endif.if, label %B0.endif.endif, !dbg !158, !prof !66

B0.endif.if:                                      ; preds = %B0.endif.endif.endif.i4
  store ptr @.const.picklebuf.140172424165248, ptr %excinfo, align 8, !dbg !159
  br label %common.ret, !dbg !160

B0.endif.endif:                                   ; preds = %B0.endif.endif.endif.i4
  %12 = getelementptr i8, ptr %.7.i.i.i6, i64 24, !dbg !161
    #dbg_value(ptr %12, !58, !DIExpression(), !161)
  %.52.val.i9 = load ptr, ptr %12, align 8, !dbg !162, !noalias !163
    #dbg_value(ptr %.52.val.i9, !59, !DIExpression(), !162)
  %.21047.not = icmp eq i64 %arg.N, 0, !dbg !164
    #dbg_value(i1 %.21047.not, !60, !DIExpression(), !164)
  br i1 %.21047.not, label %B240, label %B140, !dbg !165
}
