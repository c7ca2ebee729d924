define noundef i32 @_ZN8__main__18outer_logp_wrapperB2v1B46c8tJTIcFHzwl2ILiXkcBV0KBSSP8YgsOJmBoFUEkNQE_3dEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE(ptr noalias nocapture writeonly %retptr, ptr noalias nocapture writeonly %excinfo, i64 %arg.N, ptr %arg.a1.0, ptr nocapture readnone %arg.a1.1, i64 %arg.a1.2, i64 %arg.a1.3, ptr nocapture readonly %arg.a1.4, i64 %arg.a1.5.0, i64 %arg.a1.6.0, ptr %arg.a2.0, ptr nocapture readnone %arg.a2.1, i64 %arg.a2.2, i64 %arg.a2.3, ptr nocapture readonly %arg.a2.4, i64 %arg.a2.5.0, i64 %arg.a2.6.0, ptr %arg.b1.0, ptr nocapture readnone %arg.b1.1, i64 %arg.b1.2, i64 %arg.b1.3, ptr nocapture readonly %arg.b1.4, i64 %arg.b1.5.0, i64 %arg.b1.6.0) local_unnamed_addr #0 {
entry:
  tail call fastcc void @NRT_incref(ptr %arg.a1.0)
  tail call fastcc void @NRT_incref(ptr %arg.a2.0)
  tail call fastcc void @NRT_incref(ptr %arg.b1.0)
  %.14.i = icmp slt i64 %arg.N, 0
  br i1 %.14.i, label %B0.if, label %B0.endif.endif.i, !prof !0

B0.endif.endif.i:                                 ; preds = %entry
  %.30.i = icmp ugt i64 %arg.N, 1152921504606846975
  br i1 %.30.i, label %B0.if, label %B0.endif.endif.endif.i, !prof !0

B0.endif.endif.endif.i:                           ; preds = %B0.endif.endif.i
  %.29.i = shl nuw nsw i64 %arg.N, 3
  %.7.i.i.i = tail call ptr @NRT_MemInfo_alloc_safe_aligned(i64 %.29.i, i32 32), !noalias !1
  %.8.i.i.i = icmp eq ptr %.7.i.i.i, null
  br i1 %.8.i.i.i, label %B0.if, label %B0.endif.endif.endif.i4, !prof !0

B140:                                             ; preds = %B0.endif.endif, %B140
  %.154.048 = phi i64 [ %.223, %B140 ], [ 0, %B0.endif.endif ]
  %.223 = add nuw nsw i64 %.154.048, 1
  %i = getelementptr double, ptr %arg.a1.4, i64 %.154.048
  %.278 = load double, ptr %i, align 8
  %i1 = getelementptr double, ptr %arg.a2.4, i64 %.154.048
  %.308 = load double, ptr %i1, align 8
  %i2 = getelementptr double, ptr %arg.b1.4, i64 %.154.048
  %.338 = load double, ptr %i2, align 8
  %.10.i = fdiv double %.278, %.308
  %.31.i = fmul double %.10.i, %.338
  %i3 = insertelement <2 x double> poison, double %.10.i, i64 0
  %i4 = insertelement <2 x double> %i3, double %.31.i, i64 1
  %i5 = insertelement <2 x double> poison, double %.308, i64 0
  %i6 = shufflevector <2 x double> %i5, <2 x double> poison, <2 x i32> zeroinitializer
  %i7 = fdiv <2 x double> %i4, %i6
  %i8 = tail call <2 x double> @_ZGVbN2v_exp(<2 x double> %i7)
  %.339.sroa.0.8.vec.extract = extractelement <2 x double> %i8, i64 1
  %.339.sroa.0.0.vec.extract = extractelement <2 x double> %i8, i64 0
  %i9 = getelementptr double, ptr %.52.val.i, i64 %.154.048
  store double %.339.sroa.0.0.vec.extract, ptr %i9, align 8
  %i10 = getelementptr double, ptr %.52.val.i9, i64 %.154.048
  store double %.339.sroa.0.8.vec.extract, ptr %i10, align 8
  %exitcond.not = icmp eq i64 %.223, %arg.N
  br i1 %exitcond.not, label %B240, label %B140

common.ret:                                       ; preds = %B0.endif.if, %B0.if, %B240
  %common.ret.op = phi i32 [ 0, %B240 ], [ 1, %B0.if ], [ 1, %B0.endif.if ]
  ret i32 %common.ret.op

B240:                                             ; preds = %B0.endif.endif, %B140
  store ptr %.7.i.i.i, ptr %retptr, align 8
  %retptr.repack3 = getelementptr inbounds i8, ptr %retptr, i64 8
  store ptr null, ptr %retptr.repack3, align 8
  %retptr.repack5 = getelementptr inbounds i8, ptr %retptr, i64 16
  store i64 %arg.N, ptr %retptr.repack5, align 8
  %retptr.repack7 = getelementptr inbounds i8, ptr %retptr, i64 24
  store i64 8, ptr %retptr.repack7, align 8
  %retptr.repack9 = getelementptr inbounds i8, ptr %retptr, i64 32
  store ptr %.52.val.i, ptr %retptr.repack9, align 8
  %retptr.repack11 = getelementptr inbounds i8, ptr %retptr, i64 40
  store i64 %arg.N, ptr %retptr.repack11, align 8
  %retptr.repack13 = getelementptr inbounds i8, ptr %retptr, i64 48
  store i64 8, ptr %retptr.repack13, align 8
  %retptr.repack1 = getelementptr inbounds i8, ptr %retptr, i64 56
  store ptr %.7.i.i.i6, ptr %retptr.repack1, align 8
  %retptr.repack1.repack15 = getelementptr inbounds i8, ptr %retptr, i64 64
  store ptr null, ptr %retptr.repack1.repack15, align 8
  %retptr.repack1.repack17 = getelementptr inbounds i8, ptr %retptr, i64 72
  store i64 %arg.N, ptr %retptr.repack1.repack17, align 8
  %retptr.repack1.repack19 = getelementptr inbounds i8, ptr %retptr, i64 80
  store i64 8, ptr %retptr.repack1.repack19, align 8
  %retptr.repack1.repack21 = getelementptr inbounds i8, ptr %retptr, i64 88
  store ptr %.52.val.i9, ptr %retptr.repack1.repack21, align 8
  %retptr.repack1.repack23 = getelementptr inbounds i8, ptr %retptr, i64 96
  store i64 %arg.N, ptr %retptr.repack1.repack23, align 8
  %retptr.repack1.repack25 = getelementptr inbounds i8, ptr %retptr, i64 104
  store i64 8, ptr %retptr.repack1.repack25, align 8
  tail call fastcc void @NRT_decref(ptr %arg.b1.0)
  tail call fastcc void @NRT_decref(ptr %arg.a2.0)
  tail call fastcc void @NRT_decref(ptr %arg.a1.0)
  br label %common.ret

B0.if:                                            ; preds = %B0.endif.endif.endif.i, %B0.endif.endif.i, %entry
  %excinfo.1.0.ph = phi ptr [ @.const.picklebuf.140172424165248, %B0.endif.endif.endif.i ], [ @.const.picklebuf.140172425489792, %B0.endif.endif.i ], [ @.const.picklebuf.140172425483712, %entry ]
  store ptr %excinfo.1.0.ph, ptr %excinfo, align 8
  br label %common.ret

B0.endif.endif.endif.i4:                          ; preds = %B0.endif.endif.endif.i
  %i11 = getelementptr i8, ptr %.7.i.i.i, i64 24
  %.52.val.i = load ptr, ptr %i11, align 8, !noalias !11
  %.7.i.i.i6 = tail call ptr @NRT_MemInfo_alloc_safe_aligned(i64 %.29.i, i32 32), !noalias !12
  %.8.i.i.i7 = icmp eq ptr %.7.i.i.i6, null
  br i1 %.8.i.i.i7, label %B0.endif.if, label %B0.endif.endif, !prof !0

B0.endif.if:                                      ; preds = %B0.endif.endif.endif.i4
  store ptr @.const.picklebuf.140172424165248, ptr %excinfo, align 8
  br label %common.ret

B0.endif.endif:                                   ; preds = %B0.endif.endif.endif.i4
  %i12 = getelementptr i8, ptr %.7.i.i.i6, i64 24
  %.52.val.i9 = load ptr, ptr %i12, align 8, !noalias !22
  %.21047.not = icmp eq i64 %arg.N, 0
  br i1 %.21047.not, label %B240, label %B140
}
