package org.parallax.trace;

import java.util.Arrays;
import java.util.function.IntFunction;

/** Definitions of one type by their numbers, which are dense. */
final class NumberedTable<T> {
  private T[] values;

  NumberedTable(IntFunction<T[]> array) {
    values = array.apply(8);
  }

  void put(int id, T value) {
    if (id >= values.length) {
      values = Arrays.copyOf(values, Math.max(id + 1, values.length * 2));
    }
    values[id] = value;
  }

  /**
   * A definition.
   *
   * @param id any number
   * @return null when it is not defined
   */
  T get(int id) {
    return id >= 0 && id < values.length ? values[id] : null;
  }

  /** Numbers are below this. */
  int limit() {
    return values.length;
  }
}
