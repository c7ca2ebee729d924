target triple = "x86_64-pc-linux-gnu"

@counter = internal global i64 0

declare i64 @counted(i64)

define i64 @caller(i64 %x) {
  %old = load i64, ptr @counter
  %new = add i64 %old, 1
  store i64 %new, ptr @counter
  %y = call i64 @counted(i64 %new)
  %z = call i64 @helper(i64 %y)
  ret i64 %z
}

define internal i64 @helper(i64 %x) noinline {
  switch i64 %x, label %other [
    i64 1, label %one
    i64 2, label %two
  ]
one:
  ret i64 5
two:
  ret i64 9
other:
  ret i64 %x
}
