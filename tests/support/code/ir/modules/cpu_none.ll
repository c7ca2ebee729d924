; From a compiler that names no CPU.
target triple = "x86_64-unknown-linux-gnu"

define i64 @callee(i64 %x) {
  %y = mul i64 %x, 3
  ret i64 %y
}
