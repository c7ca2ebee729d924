; Calls that are refused for other attributes than the CPU's.
target triple = "x86_64-pc-linux-gnu"

define i64 @root(i64 %x) {
  %a = call i64 @marked(i64 %x)
  %b = call i64 @plain(i64 %a) noinline
  %c = call i64 @sanitized(i64 %b)
  %d = call i64 @strict(i64 %c)
  %e = call i64 @plain(i64 %d)
  ret i64 %e
}

define internal i64 @marked(i64 %x) noinline {
  ret i64 %x
}

define internal i64 @plain(i64 %x) {
  ret i64 %x
}

define internal i64 @sanitized(i64 %x) sanitize_address {
  ret i64 %x
}

define internal i64 @strict(i64 %x) null_pointer_is_valid {
  ret i64 %x
}
