package org.parallax.analysis.table;

/** What the values of a column or of a row are. */
public enum Unit {
  /** {@link String}. */
  TEXT("text"),
  /** {@link Long}, nanoseconds. */
  NANOSECONDS("ns"),
  /** {@link Long}, a number of things. */
  COUNT("count"),
  /** {@link Long}, bytes. */
  BYTES("bytes"),
  /** {@link Boolean}: says more of the column or name before it. */
  FLAG("flag"),
  /** {@link Double}, 0 to 100. */
  PERCENT("%"),
  /** {@link Double}, a number that need not be whole. */
  NUMBER("number"),
  /** {@link Double}, 0 to 1: small ones tell most. */
  PROBABILITY("probability"),
  /** The unit differs from row to row: see {@link Row#unit}. */
  OF_ROW("");

  private final String symbol;

  Unit(String symbol) {
    this.symbol = symbol;
  }

  /** @return the unit's name in machine-readable output */
  public String symbol() {
    return symbol;
  }
}
