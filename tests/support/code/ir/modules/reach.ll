; Everything by which a function can be reached, and two functions that nothing reaches.
target triple = "x86_64-unknown-linux-gnu"

@vtable = constant [1 x ptr] [ptr @virtual]
@second_name = alias i64 (i64), ptr @aliased
@llvm.used = appending global [1 x ptr] [ptr @kept], section "llvm.metadata"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @construct, ptr null }]

declare i32 @personality(...)

define i64 @root(i64 %x) {
  %method = load ptr, ptr @vtable
  %a = call i64 %method(i64 %x)
  %b = call i64 @second_name(i64 %a)
  %c = call i64 @direct(i64 %b)
  ret i64 %c
}

define i64 @virtual(i64 %x) noinline {
  %y = mul i64 %x, 3
  ret i64 %y
}

define i64 @aliased(i64 %x) noinline {
  %y = mul i64 %x, 5
  ret i64 %y
}

define linkonce_odr i64 @direct(i64 %x) noinline {
  %y = mul i64 %x, 7
  ret i64 %y
}

define internal void @kept() {
  ret void
}

define internal void @construct() {
  ret void
}

define i64 @unused(ptr %from, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %place = getelementptr i64, ptr %from, i64 %i
  %value = load i64, ptr %place
  %more = add i64 %sum, %value
  %next = add i64 %i, 1
  %goes.on = icmp ult i64 %next, 1024
  br i1 %goes.on, label %loop, label %done
done:
  %called = call i64 @unused_helper(i64 %more)
  ret i64 %called
}

define internal i64 @unused_helper(i64 %x) {
  %y = add i64 %x, 1
  ret i64 %y
}
