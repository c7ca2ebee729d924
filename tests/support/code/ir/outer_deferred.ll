define range(i32 0, 2) i32 @_ZN8__main__18outer_logp_wrapperB2v1B46c8tJTIcFHzwl2ILiXkcBV0KBSSP8YgsOJmBoFUEkNQE_3dEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE(ptr noalias nocapture writeonly %retptr, ptr noalias nocapture writeonly %excinfo, i64 %arg.N, ptr %arg.a1.0, ptr nocapture readnone %arg.a1.1, i64 %arg.a1.2, i64 %arg.a1.3, ptr nocapture readonly %arg.a1.4, i64 %arg.a1.5.0, i64 %arg.a1.6.0, ptr %arg.a2.0, ptr nocapture readnone %arg.a2.1, i64 %arg.a2.2, i64 %arg.a2.3, ptr nocapture readonly %arg.a2.4, i64 %arg.a2.5.0, i64 %arg.a2.6.0, ptr %arg.b1.0, ptr nocapture readnone %arg.b1.1, i64 %arg.b1.2, i64 %arg.b1.3, ptr nocapture readonly %arg.b1.4, i64 %arg.b1.5.0, i64 %arg.b1.6.0) local_unnamed_addr #2 {
entry:
  %arg.b1.460 = ptrtoint ptr %arg.b1.4 to i64
  %arg.a2.457 = ptrtoint ptr %arg.a2.4 to i64
  %arg.a1.455 = ptrtoint ptr %arg.a1.4 to i64
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
  br i1 %.8.i.i.i, label %B0.if, label %B0.endif.endif.endif.i7, !prof !0

B140:                                             ; preds = %B140.prol.loopexit, %B140
  %.154.051 = phi i64 [ %.223.3, %B140 ], [ %.154.051.unr, %B140.prol.loopexit ]
  %.223 = add nuw nsw i64 %.154.051, 1
  %0 = getelementptr double, ptr %arg.a1.4, i64 %.154.051
  %.278 = load double, ptr %0, align 8
  %1 = getelementptr double, ptr %arg.a2.4, i64 %.154.051
  %.308 = load double, ptr %1, align 8
  %2 = getelementptr double, ptr %arg.b1.4, i64 %.154.051
  %.338 = load double, ptr %2, align 8
  %.10.i = fdiv double %.278, %.308
  %.14.i2 = fdiv double %.10.i, %.308
  %.22.le.i = tail call double @llvm.exp.f64(double %.14.i2) #4
  %.31.i = fmul double %.10.i, %.338
  %.35.i = fdiv double %.31.i, %.308
  %.43.le.i = tail call double @llvm.exp.f64(double %.35.i) #4
  %3 = getelementptr double, ptr %.52.val.i, i64 %.154.051
  store double %.22.le.i, ptr %3, align 8
  %4 = getelementptr double, ptr %.52.val.i12, i64 %.154.051
  store double %.43.le.i, ptr %4, align 8
  %.223.1 = add nuw nsw i64 %.154.051, 2
  %5 = getelementptr double, ptr %arg.a1.4, i64 %.223
  %.278.1 = load double, ptr %5, align 8
  %6 = getelementptr double, ptr %arg.a2.4, i64 %.223
  %.308.1 = load double, ptr %6, align 8
  %7 = getelementptr double, ptr %arg.b1.4, i64 %.223
  %.338.1 = load double, ptr %7, align 8
  %.10.i.1 = fdiv double %.278.1, %.308.1
  %.14.i2.1 = fdiv double %.10.i.1, %.308.1
  %.22.le.i.1 = tail call double @llvm.exp.f64(double %.14.i2.1) #4
  %.31.i.1 = fmul double %.10.i.1, %.338.1
  %.35.i.1 = fdiv double %.31.i.1, %.308.1
  %.43.le.i.1 = tail call double @llvm.exp.f64(double %.35.i.1) #4
  %8 = getelementptr double, ptr %.52.val.i, i64 %.223
  store double %.22.le.i.1, ptr %8, align 8
  %9 = getelementptr double, ptr %.52.val.i12, i64 %.223
  store double %.43.le.i.1, ptr %9, align 8
  %.223.2 = add nuw nsw i64 %.154.051, 3
  %10 = getelementptr double, ptr %arg.a1.4, i64 %.223.1
  %.278.2 = load double, ptr %10, align 8
  %11 = getelementptr double, ptr %arg.a2.4, i64 %.223.1
  %.308.2 = load double, ptr %11, align 8
  %12 = getelementptr double, ptr %arg.b1.4, i64 %.223.1
  %.338.2 = load double, ptr %12, align 8
  %.10.i.2 = fdiv double %.278.2, %.308.2
  %.14.i2.2 = fdiv double %.10.i.2, %.308.2
  %.22.le.i.2 = tail call double @llvm.exp.f64(double %.14.i2.2) #4
  %.31.i.2 = fmul double %.10.i.2, %.338.2
  %.35.i.2 = fdiv double %.31.i.2, %.308.2
  %.43.le.i.2 = tail call double @llvm.exp.f64(double %.35.i.2) #4
  %13 = getelementptr double, ptr %.52.val.i, i64 %.223.1
  store double %.22.le.i.2, ptr %13, align 8
  %14 = getelementptr double, ptr %.52.val.i12, i64 %.223.1
  store double %.43.le.i.2, ptr %14, align 8
  %.223.3 = add nuw nsw i64 %.154.051, 4
  %15 = getelementptr double, ptr %arg.a1.4, i64 %.223.2
  %.278.3 = load double, ptr %15, align 8
  %16 = getelementptr double, ptr %arg.a2.4, i64 %.223.2
  %.308.3 = load double, ptr %16, align 8
  %17 = getelementptr double, ptr %arg.b1.4, i64 %.223.2
  %.338.3 = load double, ptr %17, align 8
  %.10.i.3 = fdiv double %.278.3, %.308.3
  %.14.i2.3 = fdiv double %.10.i.3, %.308.3
  %.22.le.i.3 = tail call double @llvm.exp.f64(double %.14.i2.3) #4
  %.31.i.3 = fmul double %.10.i.3, %.338.3
  %.35.i.3 = fdiv double %.31.i.3, %.308.3
  %.43.le.i.3 = tail call double @llvm.exp.f64(double %.35.i.3) #4
  %18 = getelementptr double, ptr %.52.val.i, i64 %.223.2
  store double %.22.le.i.3, ptr %18, align 8
  %19 = getelementptr double, ptr %.52.val.i12, i64 %.223.2
  store double %.43.le.i.3, ptr %19, align 8
  %exitcond.not.3 = icmp eq i64 %.223.3, %arg.N
  br i1 %exitcond.not.3, label %B240, label %B140, !llvm.loop !11

common.ret:                                       ; preds = %B0.if, %B0.endif.if, %B240
  %common.ret.op = phi i32 [ 0, %B240 ], [ 1, %B0.if ], [ 1, %B0.endif.if ]
  ret i32 %common.ret.op

B240:                                             ; preds = %B140.prol.loopexit, %B140, %middle.block, %B0.endif.endif
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
  store ptr %.7.i.i.i9, ptr %retptr.repack1, align 8
  %retptr.repack1.repack15 = getelementptr inbounds i8, ptr %retptr, i64 64
  store ptr null, ptr %retptr.repack1.repack15, align 8
  %retptr.repack1.repack17 = getelementptr inbounds i8, ptr %retptr, i64 72
  store i64 %arg.N, ptr %retptr.repack1.repack17, align 8
  %retptr.repack1.repack19 = getelementptr inbounds i8, ptr %retptr, i64 80
  store i64 8, ptr %retptr.repack1.repack19, align 8
  %retptr.repack1.repack21 = getelementptr inbounds i8, ptr %retptr, i64 88
  store ptr %.52.val.i12, ptr %retptr.repack1.repack21, align 8
  %retptr.repack1.repack23 = getelementptr inbounds i8, ptr %retptr, i64 96
  store i64 %arg.N, ptr %retptr.repack1.repack23, align 8
  %retptr.repack1.repack25 = getelementptr inbounds i8, ptr %retptr, i64 104
  store i64 8, ptr %retptr.repack1.repack25, align 8
  tail call fastcc void @NRT_decref(ptr %arg.b1.0)
  tail call fastcc void @NRT_decref(ptr %arg.a2.0)
  tail call fastcc void @NRT_decref(ptr %arg.a1.0)
  br label %common.ret

B0.if:                                            ; preds = %entry, %B0.endif.endif.i, %B0.endif.endif.endif.i
  %excinfo.1.0.ph = phi ptr [ @.const.picklebuf.140172424165248, %B0.endif.endif.endif.i ], [ @.const.picklebuf.140172425489792, %B0.endif.endif.i ], [ @.const.picklebuf.140172425483712, %entry ]
  store ptr %excinfo.1.0.ph, ptr %excinfo, align 8
  br label %common.ret

B0.endif.endif.endif.i7:                          ; preds = %B0.endif.endif.endif.i
  %20 = getelementptr i8, ptr %.7.i.i.i, i64 24
  %.52.val.i = load ptr, ptr %20, align 8, !noalias !13
  %.52.val.i54 = ptrtoint ptr %.52.val.i to i64
  %.7.i.i.i9 = tail call ptr @NRT_MemInfo_alloc_safe_aligned(i64 %.29.i, i32 32), !noalias !14
  %.8.i.i.i10 = icmp eq ptr %.7.i.i.i9, null
  br i1 %.8.i.i.i10, label %B0.endif.if, label %B0.endif.endif, !prof !0

B0.endif.if:                                      ; preds = %B0.endif.endif.endif.i7
  store ptr @.const.picklebuf.140172424165248, ptr %excinfo, align 8
  br label %common.ret

B0.endif.endif:                                   ; preds = %B0.endif.endif.endif.i7
  %21 = getelementptr i8, ptr %.7.i.i.i9, i64 24
  %.52.val.i12 = load ptr, ptr %21, align 8, !noalias !24
  %.52.val.i1253 = ptrtoint ptr %.52.val.i12 to i64
  %.21050.not = icmp eq i64 %arg.N, 0
  br i1 %.21050.not, label %B240, label %B140.preheader

B140.preheader:                                   ; preds = %B0.endif.endif
  %min.iters.check = icmp ult i64 %arg.N, 4
  br i1 %min.iters.check, label %B140.preheader71, label %vector.memcheck

B140.preheader71:                                 ; preds = %middle.block, %vector.memcheck, %B140.preheader
  %.154.051.ph = phi i64 [ 0, %vector.memcheck ], [ 0, %B140.preheader ], [ %n.vec, %middle.block ]
  %xtraiter = and i64 %arg.N, 3
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B140.prol.loopexit, label %B140.prol

B140.prol:                                        ; preds = %B140.preheader71, %B140.prol
  %.154.051.prol = phi i64 [ %.223.prol, %B140.prol ], [ %.154.051.ph, %B140.preheader71 ]
  %prol.iter = phi i64 [ %prol.iter.next, %B140.prol ], [ 0, %B140.preheader71 ]
  %.223.prol = add nuw nsw i64 %.154.051.prol, 1
  %22 = getelementptr double, ptr %arg.a1.4, i64 %.154.051.prol
  %.278.prol = load double, ptr %22, align 8
  %23 = getelementptr double, ptr %arg.a2.4, i64 %.154.051.prol
  %.308.prol = load double, ptr %23, align 8
  %24 = getelementptr double, ptr %arg.b1.4, i64 %.154.051.prol
  %.338.prol = load double, ptr %24, align 8
  %.10.i.prol = fdiv double %.278.prol, %.308.prol
  %.14.i2.prol = fdiv double %.10.i.prol, %.308.prol
  %.22.le.i.prol = tail call double @llvm.exp.f64(double %.14.i2.prol) #4
  %.31.i.prol = fmul double %.10.i.prol, %.338.prol
  %.35.i.prol = fdiv double %.31.i.prol, %.308.prol
  %.43.le.i.prol = tail call double @llvm.exp.f64(double %.35.i.prol) #4
  %25 = getelementptr double, ptr %.52.val.i, i64 %.154.051.prol
  store double %.22.le.i.prol, ptr %25, align 8
  %26 = getelementptr double, ptr %.52.val.i12, i64 %.154.051.prol
  store double %.43.le.i.prol, ptr %26, align 8
  %prol.iter.next = add i64 %prol.iter, 1
  %prol.iter.cmp.not = icmp eq i64 %prol.iter.next, %xtraiter
  br i1 %prol.iter.cmp.not, label %B140.prol.loopexit, label %B140.prol, !llvm.loop !25

B140.prol.loopexit:                               ; preds = %B140.prol, %B140.preheader71
  %.154.051.unr = phi i64 [ %.154.051.ph, %B140.preheader71 ], [ %.223.prol, %B140.prol ]
  %27 = sub nsw i64 %.154.051.ph, %arg.N
  %28 = icmp ugt i64 %27, -4
  br i1 %28, label %B240, label %B140

vector.memcheck:                                  ; preds = %B140.preheader
  %29 = sub i64 %.52.val.i1253, %.52.val.i54
  %diff.check = icmp ult i64 %29, 32
  %30 = sub i64 %.52.val.i54, %arg.a1.455
  %diff.check56 = icmp ult i64 %30, 32
  %conflict.rdx = or i1 %diff.check, %diff.check56
  %31 = sub i64 %.52.val.i54, %arg.a2.457
  %diff.check58 = icmp ult i64 %31, 32
  %conflict.rdx59 = or i1 %conflict.rdx, %diff.check58
  %32 = sub i64 %.52.val.i54, %arg.b1.460
  %diff.check61 = icmp ult i64 %32, 32
  %conflict.rdx62 = or i1 %conflict.rdx59, %diff.check61
  %33 = sub i64 %.52.val.i1253, %arg.a1.455
  %diff.check63 = icmp ult i64 %33, 32
  %conflict.rdx64 = or i1 %conflict.rdx62, %diff.check63
  %34 = sub i64 %.52.val.i1253, %arg.a2.457
  %diff.check65 = icmp ult i64 %34, 32
  %conflict.rdx66 = or i1 %conflict.rdx64, %diff.check65
  %35 = sub i64 %.52.val.i1253, %arg.b1.460
  %diff.check67 = icmp ult i64 %35, 32
  %conflict.rdx68 = or i1 %conflict.rdx66, %diff.check67
  br i1 %conflict.rdx68, label %B140.preheader71, label %vector.ph

vector.ph:                                        ; preds = %vector.memcheck
  %n.vec = and i64 %arg.N, 1152921504606846972
  br label %vector.body

vector.body:                                      ; preds = %vector.body, %vector.ph
  %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %36 = getelementptr double, ptr %arg.a1.4, i64 %index
  %wide.load = load <4 x double>, ptr %36, align 8
  %37 = getelementptr double, ptr %arg.a2.4, i64 %index
  %wide.load69 = load <4 x double>, ptr %37, align 8
  %38 = getelementptr double, ptr %arg.b1.4, i64 %index
  %wide.load70 = load <4 x double>, ptr %38, align 8
  %39 = fdiv <4 x double> %wide.load, %wide.load69
  %40 = fdiv <4 x double> %39, %wide.load69
  %41 = tail call <4 x double> @_ZGVdN4v_exp(<4 x double> %40)
  %42 = fmul <4 x double> %39, %wide.load70
  %43 = fdiv <4 x double> %42, %wide.load69
  %44 = tail call <4 x double> @_ZGVdN4v_exp(<4 x double> %43)
  %45 = getelementptr double, ptr %.52.val.i, i64 %index
  store <4 x double> %41, ptr %45, align 8
  %46 = getelementptr double, ptr %.52.val.i12, i64 %index
  store <4 x double> %44, ptr %46, align 8
  %index.next = add nuw i64 %index, 4
  %47 = icmp eq i64 %index.next, %n.vec
  br i1 %47, label %middle.block, label %vector.body, !llvm.loop !27

middle.block:                                     ; preds = %vector.body
  %cmp.n = icmp eq i64 %n.vec, %arg.N
  br i1 %cmp.n, label %B240, label %B140.preheader71
}
