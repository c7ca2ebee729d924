; The root stores into a table that is visible outside and reads variables that only code elsewhere writes.
target triple = "x86_64-pc-linux-gnu"

@table = global [1000 x i64] zeroinitializer
@elsewhere = external global i64
@tentative = common global i64 0
@zero = global i64 0
@weak = weak global i64 0
@perthread = thread_local global i64 0
@setting = internal global i64 0
@operations = global [1 x ptr] [ptr @operation]

define i64 @root(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr [1000 x i64], ptr @table, i64 0, i64 %i
  %square = mul i64 %i, %n
  store i64 %square, ptr %place
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 1000
  br i1 %more, label %loop, label %done
done:
  %a = load i64, ptr @elsewhere
  %b = load i64, ptr @tentative
  %c = load i64, ptr @zero
  %d = load i64, ptr @weak
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @perthread)
  %e = load i64, ptr %thread
  %f = load i64, ptr @setting
  %called = load ptr, ptr @operations
  %g = call i64 %called(i64 %n)
  %ab = add i64 %a, %b
  %cd = add i64 %c, %d
  %ef = add i64 %e, %f
  %abcd = add i64 %ab, %cd
  %efg = add i64 %ef, %g
  %all = add i64 %abcd, %efg
  ret i64 %all
}

; Reached through the variable alone.
define internal i64 @operation(i64 %x) {
  %y = add i64 %x, 1
  ret i64 %y
}

; Not reached, but whoever calls it changes what the root reads.
define void @configure(i64 %x) {
  store i64 %x, ptr @setting
  ret void
}

declare ptr @llvm.threadlocal.address.p0(ptr)
