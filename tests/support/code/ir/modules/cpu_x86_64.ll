; As clang makes it without -march.
target triple = "x86_64-pc-linux-gnu"

declare i64 @callee(i64)

define i64 @caller(i64 %x) #0 {
  %y = call i64 @callee(i64 %x)
  ret i64 %y
}

attributes #0 = { "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
