package org.parallax.trace.testing;

import java.util.ArrayList;
import java.util.List;

/** The functions of an invented executable or library: each has an address and a source line. */
final class FunctionTable {
  private static final long LOAD_BIAS = 0x5555_0000_0000L;
  static final long FIRST_OFFSET = 0x1000;
  static final long END_OFFSET = 0x100_0000;
  private static final long FUNCTION_BYTES = 0x100;
  private static final long SAMPLED_AT = 0x20;
  private static final long CALLS_AT = 0x40;

  private final String executable;
  private final int number;
  private final int build;
  private final List<String> names = new ArrayList<>();

  /**
   * @param number of the file in the trace
   * @param build of the file, which makes its build id
   */
  FunctionTable(String executable, int number, int build) {
    this.executable = executable;
    this.number = number;
    this.build = build;
  }

  String path() {
    return executable;
  }

  String buildId() {
    return String.format("%016x", 0x0123456789abcdefL + number + ((long) build << 16));
  }

  long loadBias() {
    return LOAD_BIAS + ((long) number << 32);
  }

  private long offset(String function) {
    int index = names.indexOf(function);
    if (index < 0) {
      index = names.size();
      names.add(function);
    }
    return FIRST_OFFSET + index * FUNCTION_BYTES;
  }

  /** Where execution returns to when the function has called another. */
  long returnAddress(String function) {
    return loadBias() + offset(function) + CALLS_AT + 1;
  }

  /** Where samples hit the function. */
  long sampledAddress(String function) {
    return loadBias() + offset(function) + SAMPLED_AT;
  }

  /** The n-th function is declared in line 100 n + 100, is sampled 10 and calls 20 lines below. */
  void appendSymbols(StringBuilder text, int module) {
    text.append("M\t").append(module).append('\t').append(buildId()).append('\t')
        .append(executable).append('\n');
    String file = "/src/" + executable.substring(executable.lastIndexOf('/') + 1) + ".c";
    for (int i = 0; i < names.size(); i++) {
      int declared = 100 * i + 100;
      append(text, module, names.get(i), SAMPLED_AT, file, declared + 10, declared);
      append(text, module, names.get(i), CALLS_AT, file, declared + 20, declared);
    }
  }

  private void append(StringBuilder text, int module, String function, long at, String file,
      int line, int declared) {
    text.append("A\t").append(module).append('\t')
        .append(Long.toHexString(offset(function) + at)).append("\nF\t").append(function)
        .append('\t').append(file).append('\t').append(line).append('\t').append(declared)
        .append("\t0\n");
  }
}
