#define KERNEL __attribute__((noinline)) static
extern double opaque(double);
KERNEL double sum(const double *a, long n) {
  double total = 0;
  for (long i = 0; i < n; i++)
    total += a[i];
  return total;
}
KERNEL void scale(float *restrict a, const float *restrict b, long n) {
  for (long i = 0; i < n; i++)
    a[i] = 2 * b[i];
}
KERNEL void call(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] = opaque(a[i]);
}
KERNEL void prefix(int *a, const int *b, long n) {
  for (long i = 1; i < n; i++)
    a[i] = a[i - 1] + b[i];
}
KERNEL void scatter(float *a, const int *at, long n) {
  for (long i = 0; i < n; i++)
    a[at[i]] += 1;
}
KERNEL long length(const char *text) {
  long n = 0;
  while (text[n])
    n++;
  return n;
}
KERNEL void four(double *restrict a, const double *restrict b) {
  for (int i = 0; i < 4; i++)
    a[i] = b[i] * b[i];
}
KERNEL void sums(float *restrict a, const float *restrict b, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] += b[j];
}
KERNEL void pairs(double *restrict a, const double *restrict b, long n) {
  double x = 0, y = 0;
  for (long i = 0; i < n; i++) {
    x = x * 0.5 + b[2 * i];
    y = y * 0.5 + b[2 * i + 1];
    a[2 * i] = x;
    a[2 * i + 1] = y;
  }
}
KERNEL void refused(float *restrict a, const float *restrict b, long n) {
#pragma clang loop vectorize(disable)
  for (long i = 0; i < n; i++)
    a[i] = 2 * b[i];
}
void kernels(double *a, double *b, float *c, float *d, int *e, int *f, char *g, long n) {
  a[0] = sum(b, n);
  scale(c, d, n);
  call(a, n);
  prefix(e, f, n);
  scatter(c, e, n);
  a[1] = (double)length(g);
  four(a, b);
  sums(c, d, n, n);
  pairs(a, b, n);
  refused(c, d, n);
}
// loops.ll is made of this: clang -O2 -gline-tables-only -Xclang -disable-llvm-passes -S -emit-llvm, then opt -passes=sroa,instcombine,
// without attributes of the target.
