package org.parallax.analysis.table;

/**
 * A column of a table.
 *
 * @param key field name in machine-readable output; documented and stable
 * @param label heading for people
 * @param role what its values are when runs are compared
 */
public record Column(String key, String label, Unit unit, Role role) {
  /** What values are when runs are compared. */
  public enum Role {
    /** What was measured: runs differ by it, and it is nothing where nothing was. */
    VALUE,
    /** What was measured of what there was, such as a mean: not known where nothing was. */
    MEAN,
    /** Says, with the name, which row it is: equal in all runs. */
    KEY,
    /** Says more of the row, or numbers it: of one run only. */
    INFO
  }

  /** Numbers are values, text and flags say more of them. */
  public Column(String key, String label, Unit unit) {
    this(key, label, unit, unit == Unit.TEXT || unit == Unit.FLAG ? Role.INFO : Role.VALUE);
  }

  /** A column of numbers that say nothing where nothing was measured. */
  public static Column mean(String key, String label, Unit unit) {
    return new Column(key, label, unit, Role.MEAN);
  }

  /** @return whether runs differ by it */
  public boolean isMeasured() {
    return role == Role.VALUE || role == Role.MEAN;
  }

  /** A column that, with the name, says which row it is. */
  public static Column key(String key, String label, Unit unit) {
    return new Column(key, label, unit, Role.KEY);
  }

  /** A column of numbers that measure nothing. */
  public static Column info(String key, String label, Unit unit) {
    return new Column(key, label, unit, Role.INFO);
  }
}
