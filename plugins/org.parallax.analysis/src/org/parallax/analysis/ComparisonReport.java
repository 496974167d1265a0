package org.parallax.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The difference of two runs, or of two sets of repeated runs, of any table (Irvin and Miller 1993,
 * section 4.2; with confidence intervals for repeated runs).
 *
 * <p>Columns: {@code base} and {@code new}, the means; {@code difference}; {@code percent} of the base,
 * empty where that is 0; {@code low} and {@code high}, the interval in which the difference lies with the
 * confidence; {@code verdict}: {@code more}, {@code less}, {@code noise} when the interval holds 0,
 * {@code one run} when a set has a single run, of which nothing can be said; {@code was}, the name in the
 * base of what was renamed. Rows are matched by name; call paths by all names on them.
 */
public final class ComparisonReport {
  private static final double LEAST_SHARE = 1e-4;

  private ComparisonReport() {}

  /**
   * Runs that are repetitions of one another.
   *
   * @param name for people
   * @param tables one of each run, of the same kind
   */
  public record RunSet(String name, List<Table> tables) {}

  /**
   * Makes the difference.
   *
   * @param column key of the compared column, null for that which adds up to the table's total, or the
   *     first with times
   * @param confidence of the intervals, between 0 and 1
   * @return null when both have rows, and none of the one is in the other
   */
  public static Table of(RunSet base, RunSet other, String column, double confidence) {
    Table sample = base.tables().get(0);
    boolean byRow = sample.unit() == Unit.OF_ROW;
    Map<String, Row> baseRows = rows(base.tables(), byRow);
    Map<String, Row> otherRows = rows(other.tables(), byRow);
    // Of call paths only whole ones are the same.
    Map<String, String> renamed = sample.column("path") >= 0 ? Map.of()
        : RowMatching.renamed(baseRows, otherRows);
    Set<String> names = new LinkedHashSet<>();
    otherRows.keySet().forEach(name -> names.add(renamed.getOrDefault(name, name)));
    if (!names.isEmpty() && !baseRows.isEmpty()
        && names.stream().noneMatch(baseRows::containsKey)) {
      return null;
    }
    names.addAll(baseRows.keySet());
    Map<String, String> newNames = new LinkedHashMap<>();
    renamed.forEach((now, before) -> newNames.put(before, now));
    int valueColumn = byRow ? -1 : column(sample, column);
    Unit unit = byRow ? Unit.OF_ROW : sample.columns().get(valueColumn).unit();
    List<Map<String, Double>> baseValues = values(base.tables(), valueColumn);
    List<Map<String, Double>> otherValues = values(other.tables(), valueColumn);
    List<Row> rows = new ArrayList<>();
    for (String name : names) {
      Difference difference = Difference.of(of(baseValues, name),
          of(otherValues, newNames.getOrDefault(name, name)), confidence);
      Row like = otherRows.getOrDefault(newNames.getOrDefault(name, name), baseRows.get(name));
      rows.add(new Row(newNames.getOrDefault(name, name), like.subject(),
          byRow ? like.unit() : null, values(difference, byRow ? like.unit() : unit,
              newNames.containsKey(name) ? name : "")));
    }
    double largest = rows.stream().mapToDouble(row -> size(row)).max().orElse(0);
    if (!byRow) {
      rows.removeIf(row -> size(row) < LEAST_SHARE * largest);
      rows.sort(Comparator.comparingDouble(
          (Row row) -> -Math.abs(((Number) row.values().get(2)).doubleValue()))
          .thenComparing(Row::name));
    }
    Map<String, String> parameters = new LinkedHashMap<>(sample.parameters());
    parameters.put("compared", sample.report());
    parameters.put("column", byRow ? "" : sample.columns().get(valueColumn).key());
    parameters.put("base", base.name());
    parameters.put("new", other.name());
    parameters.put("baseRuns", Integer.toString(base.tables().size()));
    parameters.put("newRuns", Integer.toString(other.tables().size()));
    parameters.put("confidence", Double.toString(confidence));
    return new Table("compare", "Comparison: " + other.name() + " less " + base.name() + ", "
        + sample.title(), base.name() + ", " + other.name(), parameters, sample.nameLabel(), unit,
        0, -1, columns(unit), rows, warnings(base, other, rows, confidence));
  }

  private static List<Column> columns(Unit unit) {
    return List.of(new Column("base", "base", unit), new Column("new", "new", unit),
        new Column("difference", "difference", unit),
        new Column("percent", "%", Unit.PERCENT), new Column("low", "from", unit),
        new Column("high", "to", unit), new Column("verdict", "verdict", Unit.TEXT),
        new Column("was", "was", Unit.TEXT));
  }

  private static List<String> warnings(RunSet base, RunSet other, List<Row> rows,
      double confidence) {
    List<String> warnings = new ArrayList<>();
    if (base.tables().size() < 2 || other.tables().size() < 2) {
      warnings.add("a single run says nothing of how much runs differ anyway; record several of each "
          + "and give them with commas between: parallax compare base1,base2,base3 new1,new2,new3");
    } else {
      long verdicts = rows.stream().filter(row -> !row.values().get(6).equals("noise")).count();
      warnings.add(String.format(Locale.ROOT, "of %d rows %d differ with %.3g %% confidence each; "
          + "about %.0f would by chance", rows.size(), verdicts, 100 * confidence,
          rows.size() * (1 - confidence)));
    }
    Set<String> warned = new HashSet<>();
    for (RunSet set : List.of(base, other)) {
      set.tables().forEach(table -> warned.addAll(table.warnings()));
    }
    warnings.addAll(warned);
    return warnings;
  }

  private static double size(Row row) {
    return Math.max(Math.abs(((Number) row.values().get(0)).doubleValue()),
        Math.abs(((Number) row.values().get(1)).doubleValue()));
  }

  private static List<Object> values(Difference difference, Unit unit, String was) {
    boolean known = difference.verdict() != Difference.Verdict.ONE_RUN;
    return List.of(number(difference.base(), unit), number(difference.other(), unit),
        number(difference.value(), unit),
        Double.isNaN(difference.percent()) ? "" : difference.percent(),
        known ? number(difference.low(), unit) : "", known ? number(difference.high(), unit) : "",
        difference.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' '), was);
  }

  private static Object number(double value, Unit unit) {
    return unit == Unit.PERCENT || unit == Unit.NUMBER ? (Object) value : (Object) Math.round(value);
  }

  private static int column(Table table, String key) {
    if (key != null) {
      return table.column(key);
    }
    if (table.totalColumn() >= 0) {
      return table.totalColumn();
    }
    for (int i = 0; i < table.columns().size(); i++) {
      if (table.columns().get(i).unit() == Unit.NANOSECONDS) {
        return i;
      }
    }
    return -1;
  }

  /** What a row is called in both: in call trees the whole path. */
  private static String key(Table table, Row row) {
    int path = table.column("path");
    return path >= 0 && table.columns().get(path).unit() == Unit.TEXT
        ? row.values().get(path).toString() : row.name();
  }

  private static Map<String, Row> rows(List<Table> tables, boolean byRow) {
    Map<String, Row> rows = new LinkedHashMap<>();
    for (Table table : tables) {
      for (Row row : table.rows()) {
        rows.putIfAbsent(key(table, row), row);
      }
    }
    return rows;
  }

  /** Of each run the values by name: rows of one name are one, and so are the columns of metrics. */
  private static List<Map<String, Double>> values(List<Table> tables, int column) {
    List<Map<String, Double>> all = new ArrayList<>();
    for (Table table : tables) {
      Map<String, Double> values = new LinkedHashMap<>();
      for (Row row : table.rows()) {
        for (int i = 0; i < row.values().size(); i++) {
          if ((column < 0 || column == i) && row.values().get(i) instanceof Number number) {
            values.merge(key(table, row), number.doubleValue(), Double::sum);
          }
        }
      }
      all.add(values);
    }
    return all;
  }

  private static double[] of(List<Map<String, Double>> runs, String name) {
    return runs.stream().mapToDouble(run -> run.getOrDefault(name, 0.0)).toArray();
  }
}
