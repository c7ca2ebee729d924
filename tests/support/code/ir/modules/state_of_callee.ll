; A callee with a counter of its own, which must stay one under every pipeline.
target triple = "x86_64-pc-linux-gnu"

@counter = internal global i64 0

define i64 @counted(i64 %x) {
  %old = load i64, ptr @counter
  %new = add i64 %old, %x
  store i64 %new, ptr @counter
  ret i64 %new
}
