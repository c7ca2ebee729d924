target triple = "x86_64-pc-linux-gnu"

define i64 @callee(i64 %x) #0 {
  %y = mul i64 %x, 3
  ret i64 %y
}

attributes #0 = { "target-cpu"="haswell" }
