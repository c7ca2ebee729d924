target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nounwind
define dso_local void @kernels(ptr noundef %a, ptr noundef %b, ptr noundef %c, ptr noundef %d, ptr noundef %e, ptr noundef %f, ptr noundef %g, i64 noundef %n) #0 !dbg !9 {
entry:
  %call = call double @sum(ptr noundef %b, i64 noundef %n), !dbg !12
  store double %call, ptr %a, align 8, !dbg !13, !tbaa !14
  call void @scale(ptr noundef %c, ptr noundef %d, i64 noundef %n), !dbg !18
  call void @call(ptr noundef nonnull %a, i64 noundef %n), !dbg !19
  call void @prefix(ptr noundef %e, ptr noundef %f, i64 noundef %n), !dbg !20
  call void @scatter(ptr noundef %c, ptr noundef %e, i64 noundef %n), !dbg !21
  %call1 = call i64 @length(ptr noundef %g), !dbg !22
  %conv = sitofp i64 %call1 to double, !dbg !23
  %arrayidx2 = getelementptr inbounds i8, ptr %a, i64 8, !dbg !24
  store double %conv, ptr %arrayidx2, align 8, !dbg !25, !tbaa !14
  call void @four(ptr noundef nonnull %a, ptr noundef %b), !dbg !26
  call void @sums(ptr noundef %c, ptr noundef %d, i64 noundef %n, i64 noundef %n), !dbg !27
  call void @pairs(ptr noundef nonnull %a, ptr noundef %b, i64 noundef %n), !dbg !28
  call void @refused(ptr noundef %c, ptr noundef %d, i64 noundef %n), !dbg !29
  ret void, !dbg !30
}

; Function Attrs: noinline nounwind
define internal double @sum(ptr noundef %a, i64 noundef %n) #1 !dbg !31 {
entry:
  br label %for.cond, !dbg !32

for.cond:                                         ; preds = %for.inc, %entry
  %total.0 = phi double [ 0.000000e+00, %entry ], [ %add, %for.inc ], !dbg !33
  %i.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ], !dbg !34
  %cmp = icmp slt i64 %i.0, %n, !dbg !35
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !36

for.cond.cleanup:                                 ; preds = %for.cond
  br label %for.end

for.body:                                         ; preds = %for.cond
  br label %for.inc, !dbg !37

for.inc:                                          ; preds = %for.body
  %arrayidx = getelementptr inbounds double, ptr %a, i64 %i.0, !dbg !38
  %0 = load double, ptr %arrayidx, align 8, !dbg !38, !tbaa !14
  %add = fadd double %total.0, %0, !dbg !39
  %inc = add nuw nsw i64 %i.0, 1, !dbg !40
  br label %for.cond, !dbg !36, !llvm.loop !41

for.end:                                          ; preds = %for.cond.cleanup
  ret double %total.0, !dbg !44
}

; Function Attrs: noinline nounwind
define internal void @scale(ptr noalias noundef %a, ptr noalias noundef %b, i64 noundef %n) #1 !dbg !45 {
entry:
  br label %for.cond, !dbg !46

for.cond:                                         ; preds = %for.inc, %entry
  %i.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ], !dbg !47
  %cmp = icmp slt i64 %i.0, %n, !dbg !48
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !49

for.cond.cleanup:                                 ; preds = %for.cond
  br label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds float, ptr %b, i64 %i.0, !dbg !50
  %0 = load float, ptr %arrayidx, align 4, !dbg !50, !tbaa !51
  %mul = fmul float %0, 2.000000e+00, !dbg !53
  %arrayidx1 = getelementptr inbounds float, ptr %a, i64 %i.0, !dbg !54
  store float %mul, ptr %arrayidx1, align 4, !dbg !55, !tbaa !51
  br label %for.inc, !dbg !54

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i64 %i.0, 1, !dbg !56
  br label %for.cond, !dbg !49, !llvm.loop !57

for.end:                                          ; preds = %for.cond.cleanup
  ret void, !dbg !59
}

; Function Attrs: noinline nounwind
define internal void @call(ptr noundef %a, i64 noundef %n) #1 !dbg !60 {
entry:
  br label %for.cond, !dbg !61

for.cond:                                         ; preds = %for.inc, %entry
  %i.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ], !dbg !62
  %cmp = icmp slt i64 %i.0, %n, !dbg !63
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !64

for.cond.cleanup:                                 ; preds = %for.cond
  br label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds double, ptr %a, i64 %i.0, !dbg !65
  %0 = load double, ptr %arrayidx, align 8, !dbg !65, !tbaa !14
  %call = call double @opaque(double noundef %0) #5, !dbg !66
  %arrayidx1 = getelementptr inbounds double, ptr %a, i64 %i.0, !dbg !67
  store double %call, ptr %arrayidx1, align 8, !dbg !68, !tbaa !14
  br label %for.inc, !dbg !67

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i64 %i.0, 1, !dbg !69
  br label %for.cond, !dbg !64, !llvm.loop !70

for.end:                                          ; preds = %for.cond.cleanup
  ret void, !dbg !72
}

; Function Attrs: noinline nounwind
define internal void @prefix(ptr noundef %a, ptr noundef %b, i64 noundef %n) #1 !dbg !73 {
entry:
  br label %for.cond, !dbg !74

for.cond:                                         ; preds = %for.inc, %entry
  %i.0 = phi i64 [ 1, %entry ], [ %inc, %for.inc ], !dbg !75
  %cmp = icmp slt i64 %i.0, %n, !dbg !76
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !77

for.cond.cleanup:                                 ; preds = %for.cond
  br label %for.end

for.body:                                         ; preds = %for.cond
  %0 = getelementptr i32, ptr %a, i64 %i.0, !dbg !78
  %arrayidx = getelementptr i8, ptr %0, i64 -4, !dbg !78
  %1 = load i32, ptr %arrayidx, align 4, !dbg !78, !tbaa !79
  %arrayidx1 = getelementptr inbounds i32, ptr %b, i64 %i.0, !dbg !81
  %2 = load i32, ptr %arrayidx1, align 4, !dbg !81, !tbaa !79
  %add = add nsw i32 %1, %2, !dbg !82
  %arrayidx2 = getelementptr inbounds i32, ptr %a, i64 %i.0, !dbg !83
  store i32 %add, ptr %arrayidx2, align 4, !dbg !84, !tbaa !79
  br label %for.inc, !dbg !83

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i64 %i.0, 1, !dbg !85
  br label %for.cond, !dbg !77, !llvm.loop !86

for.end:                                          ; preds = %for.cond.cleanup
  ret void, !dbg !88
}

; Function Attrs: noinline nounwind
define internal void @scatter(ptr noundef %a, ptr noundef %at, i64 noundef %n) #1 !dbg !89 {
entry:
  br label %for.cond, !dbg !90

for.cond:                                         ; preds = %for.inc, %entry
  %i.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ], !dbg !91
  %cmp = icmp slt i64 %i.0, %n, !dbg !92
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !93

for.cond.cleanup:                                 ; preds = %for.cond
  br label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds i32, ptr %at, i64 %i.0, !dbg !94
  %0 = load i32, ptr %arrayidx, align 4, !dbg !94, !tbaa !79
  %idxprom = sext i32 %0 to i64, !dbg !95
  %arrayidx1 = getelementptr inbounds float, ptr %a, i64 %idxprom, !dbg !95
  %1 = load float, ptr %arrayidx1, align 4, !dbg !96, !tbaa !51
  %add = fadd float %1, 1.000000e+00, !dbg !96
  store float %add, ptr %arrayidx1, align 4, !dbg !96, !tbaa !51
  br label %for.inc, !dbg !95

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i64 %i.0, 1, !dbg !97
  br label %for.cond, !dbg !93, !llvm.loop !98

for.end:                                          ; preds = %for.cond.cleanup
  ret void, !dbg !100
}

; Function Attrs: noinline nounwind
define internal i64 @length(ptr noundef %text) #1 !dbg !101 {
entry:
  br label %while.cond, !dbg !102

while.cond:                                       ; preds = %while.body, %entry
  %n.0 = phi i64 [ 0, %entry ], [ %inc, %while.body ], !dbg !103
  %arrayidx = getelementptr inbounds i8, ptr %text, i64 %n.0, !dbg !104
  %0 = load i8, ptr %arrayidx, align 1, !dbg !104, !tbaa !105
  %tobool.not = icmp eq i8 %0, 0, !dbg !102
  br i1 %tobool.not, label %while.end, label %while.body, !dbg !102

while.body:                                       ; preds = %while.cond
  %inc = add nuw nsw i64 %n.0, 1, !dbg !106
  br label %while.cond, !dbg !102, !llvm.loop !107

while.end:                                        ; preds = %while.cond
  ret i64 %n.0, !dbg !108
}

; Function Attrs: noinline nounwind
define internal void @four(ptr noalias noundef %a, ptr noalias noundef %b) #1 !dbg !109 {
entry:
  br label %for.cond, !dbg !110

for.cond:                                         ; preds = %for.inc, %entry
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ], !dbg !111
  %cmp = icmp ult i32 %i.0, 4, !dbg !112
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !113

for.cond.cleanup:                                 ; preds = %for.cond
  br label %for.end

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %i.0 to i64, !dbg !114
  %arrayidx = getelementptr inbounds double, ptr %b, i64 %idxprom, !dbg !114
  %0 = load double, ptr %arrayidx, align 8, !dbg !114, !tbaa !14
  %idxprom1 = zext nneg i32 %i.0 to i64, !dbg !115
  %arrayidx2 = getelementptr inbounds double, ptr %b, i64 %idxprom1, !dbg !115
  %1 = load double, ptr %arrayidx2, align 8, !dbg !115, !tbaa !14
  %mul = fmul double %0, %1, !dbg !116
  %idxprom3 = zext nneg i32 %i.0 to i64, !dbg !117
  %arrayidx4 = getelementptr inbounds double, ptr %a, i64 %idxprom3, !dbg !117
  store double %mul, ptr %arrayidx4, align 8, !dbg !118, !tbaa !14
  br label %for.inc, !dbg !117

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i32 %i.0, 1, !dbg !119
  br label %for.cond, !dbg !113, !llvm.loop !120

for.end:                                          ; preds = %for.cond.cleanup
  ret void, !dbg !122
}

; Function Attrs: noinline nounwind
define internal void @sums(ptr noalias noundef %a, ptr noalias noundef %b, i64 noundef %n, i64 noundef %m) #1 !dbg !123 {
entry:
  br label %for.cond, !dbg !124

for.cond:                                         ; preds = %for.inc7, %entry
  %i.0 = phi i64 [ 0, %entry ], [ %inc8, %for.inc7 ], !dbg !125
  %cmp = icmp slt i64 %i.0, %n, !dbg !126
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !127

for.cond.cleanup:                                 ; preds = %for.cond
  br label %for.end9

for.body:                                         ; preds = %for.cond
  br label %for.cond1, !dbg !128

for.cond1:                                        ; preds = %for.inc, %for.body
  %j.0 = phi i64 [ 0, %for.body ], [ %inc, %for.inc ], !dbg !129
  %cmp2 = icmp slt i64 %j.0, %m, !dbg !130
  br i1 %cmp2, label %for.body4, label %for.cond.cleanup3, !dbg !131

for.cond.cleanup3:                                ; preds = %for.cond1
  br label %for.end

for.body4:                                        ; preds = %for.cond1
  %arrayidx = getelementptr inbounds float, ptr %b, i64 %j.0, !dbg !132
  %0 = load float, ptr %arrayidx, align 4, !dbg !132, !tbaa !51
  %mul = mul nsw i64 %i.0, %m, !dbg !133
  %1 = getelementptr float, ptr %a, i64 %mul, !dbg !134
  %arrayidx5 = getelementptr float, ptr %1, i64 %j.0, !dbg !134
  %2 = load float, ptr %arrayidx5, align 4, !dbg !135, !tbaa !51
  %add6 = fadd float %2, %0, !dbg !135
  store float %add6, ptr %arrayidx5, align 4, !dbg !135, !tbaa !51
  br label %for.inc, !dbg !134

for.inc:                                          ; preds = %for.body4
  %inc = add nuw nsw i64 %j.0, 1, !dbg !136
  br label %for.cond1, !dbg !131, !llvm.loop !137

for.end:                                          ; preds = %for.cond.cleanup3
  br label %for.inc7, !dbg !138

for.inc7:                                         ; preds = %for.end
  %inc8 = add nuw nsw i64 %i.0, 1, !dbg !139
  br label %for.cond, !dbg !127, !llvm.loop !140

for.end9:                                         ; preds = %for.cond.cleanup
  ret void, !dbg !141
}

; Function Attrs: noinline nounwind
define internal void @pairs(ptr noalias noundef %a, ptr noalias noundef %b, i64 noundef %n) #1 !dbg !142 {
entry:
  br label %for.cond, !dbg !143

for.cond:                                         ; preds = %for.inc, %entry
  %x.0 = phi double [ 0.000000e+00, %entry ], [ %1, %for.inc ], !dbg !144
  %y.0 = phi double [ 0.000000e+00, %entry ], [ %3, %for.inc ], !dbg !144
  %i.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ], !dbg !145
  %cmp = icmp slt i64 %i.0, %n, !dbg !146
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !147

for.cond.cleanup:                                 ; preds = %for.cond
  br label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx.idx = shl nsw i64 %i.0, 4, !dbg !148
  %arrayidx = getelementptr inbounds i8, ptr %b, i64 %arrayidx.idx, !dbg !148
  %0 = load double, ptr %arrayidx, align 8, !dbg !148, !tbaa !14
  %1 = call double @llvm.fmuladd.f64(double %x.0, double 5.000000e-01, double %0), !dbg !149
  %mul2 = shl nuw nsw i64 %i.0, 1, !dbg !150
  %add = or disjoint i64 %mul2, 1, !dbg !151
  %arrayidx3 = getelementptr inbounds double, ptr %b, i64 %add, !dbg !152
  %2 = load double, ptr %arrayidx3, align 8, !dbg !152, !tbaa !14
  %3 = call double @llvm.fmuladd.f64(double %y.0, double 5.000000e-01, double %2), !dbg !153
  %arrayidx4.idx = shl nsw i64 %i.0, 4, !dbg !154
  %arrayidx4 = getelementptr inbounds i8, ptr %a, i64 %arrayidx4.idx, !dbg !154
  store double %1, ptr %arrayidx4, align 8, !dbg !155, !tbaa !14
  %mul5 = shl nuw nsw i64 %i.0, 1, !dbg !156
  %add6 = or disjoint i64 %mul5, 1, !dbg !157
  %arrayidx7 = getelementptr inbounds double, ptr %a, i64 %add6, !dbg !158
  store double %3, ptr %arrayidx7, align 8, !dbg !159, !tbaa !14
  br label %for.inc, !dbg !160

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i64 %i.0, 1, !dbg !161
  br label %for.cond, !dbg !147, !llvm.loop !162

for.end:                                          ; preds = %for.cond.cleanup
  ret void, !dbg !163
}

; Function Attrs: noinline nounwind
define internal void @refused(ptr noalias noundef %a, ptr noalias noundef %b, i64 noundef %n) #1 !dbg !164 {
entry:
  br label %for.cond, !dbg !165

for.cond:                                         ; preds = %for.inc, %entry
  %i.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ], !dbg !166
  %cmp = icmp slt i64 %i.0, %n, !dbg !167
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !168

for.cond.cleanup:                                 ; preds = %for.cond
  br label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds float, ptr %b, i64 %i.0, !dbg !169
  %0 = load float, ptr %arrayidx, align 4, !dbg !169, !tbaa !51
  %mul = fmul float %0, 2.000000e+00, !dbg !170
  %arrayidx1 = getelementptr inbounds float, ptr %a, i64 %i.0, !dbg !171
  store float %mul, ptr %arrayidx1, align 4, !dbg !172, !tbaa !51
  br label %for.inc, !dbg !171

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i64 %i.0, 1, !dbg !173
  br label %for.cond, !dbg !168, !llvm.loop !174

for.end:                                          ; preds = %for.cond.cleanup
  ret void, !dbg !177
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #2

declare !dbg !178 double @opaque(double noundef)

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #4

attributes #0 = { nounwind }
attributes #1 = { noinline nounwind }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "loops.c", directory: "/")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"uwtable", i32 2}
!8 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!9 = distinct !DISubprogram(name: "kernels", scope: !1, file: !1, line: 54, type: !10, scopeLine: 54, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !DILocation(line: 55, column: 10, scope: !9)
!13 = !DILocation(line: 55, column: 8, scope: !9)
!14 = !{!15, !15, i64 0}
!15 = !{!"double", !16, i64 0}
!16 = !{!"omnipotent char", !17, i64 0}
!17 = !{!"Simple C/C++ TBAA"}
!18 = !DILocation(line: 56, column: 3, scope: !9)
!19 = !DILocation(line: 57, column: 3, scope: !9)
!20 = !DILocation(line: 58, column: 3, scope: !9)
!21 = !DILocation(line: 59, column: 3, scope: !9)
!22 = !DILocation(line: 60, column: 18, scope: !9)
!23 = !DILocation(line: 60, column: 10, scope: !9)
!24 = !DILocation(line: 60, column: 3, scope: !9)
!25 = !DILocation(line: 60, column: 8, scope: !9)
!26 = !DILocation(line: 61, column: 3, scope: !9)
!27 = !DILocation(line: 62, column: 3, scope: !9)
!28 = !DILocation(line: 63, column: 3, scope: !9)
!29 = !DILocation(line: 64, column: 3, scope: !9)
!30 = !DILocation(line: 65, column: 1, scope: !9)
!31 = distinct !DISubprogram(name: "sum", scope: !1, file: !1, line: 3, type: !10, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!32 = !DILocation(line: 5, column: 8, scope: !31)
!33 = !DILocation(line: 0, scope: !31)
!34 = !DILocation(line: 5, scope: !31)
!35 = !DILocation(line: 5, column: 22, scope: !31)
!36 = !DILocation(line: 5, column: 3, scope: !31)
!37 = !DILocation(line: 6, column: 5, scope: !31)
!38 = !DILocation(line: 6, column: 14, scope: !31)
!39 = !DILocation(line: 6, column: 11, scope: !31)
!40 = !DILocation(line: 5, column: 28, scope: !31)
!41 = distinct !{!41, !36, !42, !43}
!42 = !DILocation(line: 6, column: 17, scope: !31)
!43 = !{!"llvm.loop.mustprogress"}
!44 = !DILocation(line: 7, column: 3, scope: !31)
!45 = distinct !DISubprogram(name: "scale", scope: !1, file: !1, line: 9, type: !10, scopeLine: 9, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!46 = !DILocation(line: 10, column: 8, scope: !45)
!47 = !DILocation(line: 10, scope: !45)
!48 = !DILocation(line: 10, column: 22, scope: !45)
!49 = !DILocation(line: 10, column: 3, scope: !45)
!50 = !DILocation(line: 11, column: 16, scope: !45)
!51 = !{!52, !52, i64 0}
!52 = !{!"float", !16, i64 0}
!53 = !DILocation(line: 11, column: 14, scope: !45)
!54 = !DILocation(line: 11, column: 5, scope: !45)
!55 = !DILocation(line: 11, column: 10, scope: !45)
!56 = !DILocation(line: 10, column: 28, scope: !45)
!57 = distinct !{!57, !49, !58, !43}
!58 = !DILocation(line: 11, column: 19, scope: !45)
!59 = !DILocation(line: 12, column: 1, scope: !45)
!60 = distinct !DISubprogram(name: "call", scope: !1, file: !1, line: 13, type: !10, scopeLine: 13, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!61 = !DILocation(line: 14, column: 8, scope: !60)
!62 = !DILocation(line: 14, scope: !60)
!63 = !DILocation(line: 14, column: 22, scope: !60)
!64 = !DILocation(line: 14, column: 3, scope: !60)
!65 = !DILocation(line: 15, column: 19, scope: !60)
!66 = !DILocation(line: 15, column: 12, scope: !60)
!67 = !DILocation(line: 15, column: 5, scope: !60)
!68 = !DILocation(line: 15, column: 10, scope: !60)
!69 = !DILocation(line: 14, column: 28, scope: !60)
!70 = distinct !{!70, !64, !71, !43}
!71 = !DILocation(line: 15, column: 23, scope: !60)
!72 = !DILocation(line: 16, column: 1, scope: !60)
!73 = distinct !DISubprogram(name: "prefix", scope: !1, file: !1, line: 17, type: !10, scopeLine: 17, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!74 = !DILocation(line: 18, column: 8, scope: !73)
!75 = !DILocation(line: 18, scope: !73)
!76 = !DILocation(line: 18, column: 22, scope: !73)
!77 = !DILocation(line: 18, column: 3, scope: !73)
!78 = !DILocation(line: 19, column: 12, scope: !73)
!79 = !{!80, !80, i64 0}
!80 = !{!"int", !16, i64 0}
!81 = !DILocation(line: 19, column: 23, scope: !73)
!82 = !DILocation(line: 19, column: 21, scope: !73)
!83 = !DILocation(line: 19, column: 5, scope: !73)
!84 = !DILocation(line: 19, column: 10, scope: !73)
!85 = !DILocation(line: 18, column: 28, scope: !73)
!86 = distinct !{!86, !77, !87, !43}
!87 = !DILocation(line: 19, column: 26, scope: !73)
!88 = !DILocation(line: 20, column: 1, scope: !73)
!89 = distinct !DISubprogram(name: "scatter", scope: !1, file: !1, line: 21, type: !10, scopeLine: 21, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!90 = !DILocation(line: 22, column: 8, scope: !89)
!91 = !DILocation(line: 22, scope: !89)
!92 = !DILocation(line: 22, column: 22, scope: !89)
!93 = !DILocation(line: 22, column: 3, scope: !89)
!94 = !DILocation(line: 23, column: 7, scope: !89)
!95 = !DILocation(line: 23, column: 5, scope: !89)
!96 = !DILocation(line: 23, column: 14, scope: !89)
!97 = !DILocation(line: 22, column: 28, scope: !89)
!98 = distinct !{!98, !93, !99, !43}
!99 = !DILocation(line: 23, column: 17, scope: !89)
!100 = !DILocation(line: 24, column: 1, scope: !89)
!101 = distinct !DISubprogram(name: "length", scope: !1, file: !1, line: 25, type: !10, scopeLine: 25, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!102 = !DILocation(line: 27, column: 3, scope: !101)
!103 = !DILocation(line: 0, scope: !101)
!104 = !DILocation(line: 27, column: 10, scope: !101)
!105 = !{!16, !16, i64 0}
!106 = !DILocation(line: 28, column: 6, scope: !101)
!107 = distinct !{!107, !102, !106, !43}
!108 = !DILocation(line: 29, column: 3, scope: !101)
!109 = distinct !DISubprogram(name: "four", scope: !1, file: !1, line: 31, type: !10, scopeLine: 31, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!110 = !DILocation(line: 32, column: 8, scope: !109)
!111 = !DILocation(line: 32, scope: !109)
!112 = !DILocation(line: 32, column: 21, scope: !109)
!113 = !DILocation(line: 32, column: 3, scope: !109)
!114 = !DILocation(line: 33, column: 12, scope: !109)
!115 = !DILocation(line: 33, column: 19, scope: !109)
!116 = !DILocation(line: 33, column: 17, scope: !109)
!117 = !DILocation(line: 33, column: 5, scope: !109)
!118 = !DILocation(line: 33, column: 10, scope: !109)
!119 = !DILocation(line: 32, column: 27, scope: !109)
!120 = distinct !{!120, !113, !121, !43}
!121 = !DILocation(line: 33, column: 22, scope: !109)
!122 = !DILocation(line: 34, column: 1, scope: !109)
!123 = distinct !DISubprogram(name: "sums", scope: !1, file: !1, line: 35, type: !10, scopeLine: 35, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!124 = !DILocation(line: 36, column: 8, scope: !123)
!125 = !DILocation(line: 36, scope: !123)
!126 = !DILocation(line: 36, column: 22, scope: !123)
!127 = !DILocation(line: 36, column: 3, scope: !123)
!128 = !DILocation(line: 37, column: 10, scope: !123)
!129 = !DILocation(line: 37, scope: !123)
!130 = !DILocation(line: 37, column: 24, scope: !123)
!131 = !DILocation(line: 37, column: 5, scope: !123)
!132 = !DILocation(line: 38, column: 23, scope: !123)
!133 = !DILocation(line: 38, column: 11, scope: !123)
!134 = !DILocation(line: 38, column: 7, scope: !123)
!135 = !DILocation(line: 38, column: 20, scope: !123)
!136 = !DILocation(line: 37, column: 30, scope: !123)
!137 = distinct !{!137, !131, !138, !43}
!138 = !DILocation(line: 38, column: 26, scope: !123)
!139 = !DILocation(line: 36, column: 28, scope: !123)
!140 = distinct !{!140, !127, !138, !43}
!141 = !DILocation(line: 39, column: 1, scope: !123)
!142 = distinct !DISubprogram(name: "pairs", scope: !1, file: !1, line: 40, type: !10, scopeLine: 40, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!143 = !DILocation(line: 42, column: 8, scope: !142)
!144 = !DILocation(line: 0, scope: !142)
!145 = !DILocation(line: 42, scope: !142)
!146 = !DILocation(line: 42, column: 22, scope: !142)
!147 = !DILocation(line: 42, column: 3, scope: !142)
!148 = !DILocation(line: 43, column: 19, scope: !142)
!149 = !DILocation(line: 43, column: 17, scope: !142)
!150 = !DILocation(line: 44, column: 23, scope: !142)
!151 = !DILocation(line: 44, column: 27, scope: !142)
!152 = !DILocation(line: 44, column: 19, scope: !142)
!153 = !DILocation(line: 44, column: 17, scope: !142)
!154 = !DILocation(line: 45, column: 5, scope: !142)
!155 = !DILocation(line: 45, column: 14, scope: !142)
!156 = !DILocation(line: 46, column: 9, scope: !142)
!157 = !DILocation(line: 46, column: 13, scope: !142)
!158 = !DILocation(line: 46, column: 5, scope: !142)
!159 = !DILocation(line: 46, column: 18, scope: !142)
!160 = !DILocation(line: 47, column: 3, scope: !142)
!161 = !DILocation(line: 42, column: 28, scope: !142)
!162 = distinct !{!162, !147, !160, !43}
!163 = !DILocation(line: 48, column: 1, scope: !142)
!164 = distinct !DISubprogram(name: "refused", scope: !1, file: !1, line: 49, type: !10, scopeLine: 49, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!165 = !DILocation(line: 51, column: 8, scope: !164)
!166 = !DILocation(line: 51, scope: !164)
!167 = !DILocation(line: 51, column: 22, scope: !164)
!168 = !DILocation(line: 51, column: 3, scope: !164)
!169 = !DILocation(line: 52, column: 16, scope: !164)
!170 = !DILocation(line: 52, column: 14, scope: !164)
!171 = !DILocation(line: 52, column: 5, scope: !164)
!172 = !DILocation(line: 52, column: 10, scope: !164)
!173 = !DILocation(line: 51, column: 28, scope: !164)
!174 = distinct !{!174, !168, !175, !43, !176}
!175 = !DILocation(line: 52, column: 19, scope: !164)
!176 = !{!"llvm.loop.vectorize.width", i32 1}
!177 = !DILocation(line: 53, column: 1, scope: !164)
!178 = !DISubprogram(name: "opaque", scope: !1, file: !1, line: 2, type: !10, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
