

























































PROCEDURE void parse() {
  unsigned long x = 1;
  STEPS(kParse);
  work[kParse].result = x;
}

PROCEDURE void compress() {
  unsigned long x = 2;
  STEPS(kCompress);
  work[kCompress].result = x;
}

PROCEDURE void hash() {
  unsigned long x = 3;
  STEPS(kHash);
  work[kHash].result = x;
}

PROCEDURE void emit() {
  unsigned long x = 4;
  STEPS(kEmit);
  work[kEmit].result = x;
}

PROCEDURE void store() {
  unsigned long x = 5;
  STEPS(kStore);
  work[kStore].result = x;
}
