package org.parallax.studies;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Small statistics, and numbers as text. */
final class Numbers {
  private Numbers() {
  }

  /**
   * As printf's "%.Nf" of C: the exact binary value, rounded half to even. (String.format of Java rounds the
   * shortest decimal that reads as the value, half up.)
   *
   * @return "-" for what is no finite number
   */
  static String fixed(double value, int digits) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    String text = new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
    return value < 0 && !text.startsWith("-") ? "-" + text : text;
  }

  /** @return nanoseconds as seconds */
  static String seconds(double ns, int digits) {
    return fixed(ns / 1e9, digits);
  }

  /**
   * @return the middle value, or the mean of the two in the middle
   * @throws Failure if there are no values
   */
  static double median(double[] values) {
    if (values.length == 0) {
      throw new Failure("there are no values to take the median of");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /**
   * Reads a file with a number in each line.
   *
   * @throws Failure if a line is no number
   */
  static double[] read(Path file) throws IOException {
    try {
      return Files.readAllLines(file).stream().mapToDouble(Double::parseDouble).toArray();
    } catch (NumberFormatException e) {
      throw new Failure("a line of " + file + " is no number: " + e.getMessage());
    }
  }
}
