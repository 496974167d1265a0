package org.parallax.tuning.formula;

/** What the functions of formulas ask for: sums of measure points over a time, and facts of the program. */
public interface Measurements {
  /** A sum of a measure point: visits, bytes, squares of bytes, nanoseconds in it. */
  enum Sum {
    VISITS, BYTES, SQUARES, NS
  }

  /**
   * A sum of a measure point.
   *
   * @param from least size in bytes, with {@code to} at or below zero for all sizes
   * @param to size in bytes below which visits count
   */
  double sum(String point, Sum sum, double from, double to);

  /** @return the size in bytes that a share of the visits does not exceed, to a power of two; NaN without visits */
  double quantile(String point, double share);

  /** @return the time of the measurement */
  double elapsedSeconds();

  /** @return how many processes are judged */
  int processes();

  /** @return how many processes of the program run */
  int tasks();

  /** @return how many hosts there are */
  int hosts();

  /** @return how many different architectures the hosts have */
  int architectures();

  /** @return how many hosts have an architecture on which tasks talk by shared memory */
  int sharedMemoryHosts();

  /** @return what an action set or an answer told, or null */
  Object state(String name);

  /** @return what a formula is for each process, in one order; empty when there is none of that name */
  double[] own(String name);

  /** @return the place of the process that is looked at, or below zero when it is all of them */
  int place();

  /** @return a field of a variable that the program declares (value, least, most), or null */
  Object variable(String name, String field);
}
