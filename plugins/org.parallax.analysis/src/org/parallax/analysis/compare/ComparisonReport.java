package org.parallax.analysis.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.parallax.analysis.metrics.HistogramMetric;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Column.Role;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.program.Procedure;

/**
 * The difference of two runs, or of two sets of repeated runs, of any table (Irvin and Miller 1993,
 * section 4.2; with confidence intervals for repeated runs).
 *
 * <p>Rows are the same in two tables when their names and columns of {@link Role#KEY} are, renamed
 * procedures taken for what they were. Each column of measured values becomes seven, with the key and
 * a point before: {@code base} and {@code new}, the means; {@code difference}; {@code ratio}, new by
 * base; {@code low} and {@code high}, the interval in which the difference lies with the confidence;
 * {@code verdict}: {@code more}, {@code less}, {@code noise} when the interval holds 0, {@code one run}
 * when a set has a single run, of which nothing can be said. What is not known is empty. Other columns
 * say what they do in the new runs, or else in the base; numberings are left out. {@code match} says
 * whether a row is in {@code both}, {@code renamed}, {@code added} or {@code removed}, and {@code was}
 * how it was called. A procedure of a file that both runs have by its build id is neither added nor
 * removed: it has {@link #NO_SAMPLES} or, as a routine, {@link #NO_CALLS}. Then {@code chance} is the
 * probability that its samples of one run had none in the other at an unchanged time. Tables whose columns are parts of the program or runs, as metrics have them, have
 * a row for each {@code part}, with the column {@code value}.
 *
 * <p>Rows that add up to a total stand by falling difference, of the others those of the new runs in
 * their order, with those of the base where they stand there. Call trees are trees.
 */
public final class ComparisonReport {
  /** Keys of what a column becomes, after a point. */
  public static final List<String> PARTS =
      List.of("base", "new", "difference", "ratio", "low", "high", "verdict");
  private static final List<String> LABELS =
      List.of("base", "new", "difference", "ratio", "from", "to", "verdict");
  private static final int DIFFERENCE = PARTS.indexOf("difference");
  private static final String PART = "part";
  private static final String SAMPLES = "samples";
  /** Of a procedure that exists in both runs and was seen in one of them. */
  public static final String NO_SAMPLES = "no samples in ";
  public static final String NO_CALLS = "no calls in ";

  /**
   * What is compared.
   *
   * @param name of the runs, for people
   * @param tables one of each repetition, of the same kind
   */
  public record RunTables(String name, List<Table> tables) {}

  /**
   * How it is compared.
   *
   * @param column by which rows are ranked and counted; null for {@link #mainColumn}
   * @param confidence of the intervals, between 0 and 1
   * @param absentIsNone whether what a table has no row for was measured to be nothing, such as the
   *     time of a procedure; else it is not known
   * @param leastPercent rows whose column {@code percent} is less in all runs are left out
   */
  public record Options(
      String column, double confidence, boolean absentIsNone, double leastPercent) {}

  private final List<MatchedTable> base;
  private final List<MatchedTable> other;
  private final Options options;
  private final ProcedureMatching procedures;
  private final List<Column> columns;
  private final double samplesOfBase;
  private final double samplesOfOther;

  private ComparisonReport(List<MatchedTable> base, List<MatchedTable> other,
      ProcedureMatching procedures, Options options) {
    this.procedures = procedures;
    this.base = base;
    this.other = other;
    this.options = options;
    Map<String, Column> all = new LinkedHashMap<>();
    Stream.concat(other.stream(), base.stream()).flatMap(each -> each.table().columns().stream())
        .filter(column -> column.role() != Role.INFO || column.unit() == Unit.TEXT
            || column.unit() == Unit.FLAG)
        .forEach(column -> all.putIfAbsent(column.key(), column));
    columns = List.copyOf(all.values());
    samplesOfBase = samples(base, null);
    samplesOfOther = samples(other, null);
  }

  /** Makes the difference. */
  public static Table of(
      RunTables base, RunTables other, ProcedureMatching procedures, Options options) {
    boolean single = Stream.concat(base.tables().stream(), other.tables().stream())
        .allMatch(table -> table.columns().size() == 1);
    ComparisonReport report = new ComparisonReport(
        base.tables().stream().map(table -> new MatchedTable(flat(table, single), procedures, true)).toList(),
        other.tables().stream().map(table -> new MatchedTable(flat(table, single), procedures, false))
            .toList(), procedures, options);
    return report.table(base, other);
  }

  /** @return the key of the column that says most: what adds up, or the first with times */
  public static String mainColumn(Table table) {
    Table flat = flat(table, true);
    Column main = flat.totalColumn() >= 0 ? flat.columns().get(flat.totalColumn())
        : flat.columns().stream().filter(column -> column.isMeasured())
            .min((a, b) -> Boolean.compare(b.unit() == Unit.NANOSECONDS,
                a.unit() == Unit.NANOSECONDS)).orElse(null);
    return main == null ? "" : main.key();
  }

  /** @return the compared column that says most: what adds up, or else the first */
  public static String mainComparedColumn(Table difference) {
    String key = difference.totalColumn() < 0 ? "" : difference.columns()
        .get(difference.totalColumn()).key();
    return key.isEmpty() ? comparedColumns(difference).get(0)
        : key.substring(0, key.lastIndexOf('.'));
  }

  /** @return the keys of the columns that are compared */
  public static List<String> comparedColumns(Table difference) {
    String end = "." + PARTS.get(DIFFERENCE);
    return difference.columns().stream().map(Column::key).filter(key -> key.endsWith(end))
        .map(key -> key.substring(0, key.length() - end.length())).toList();
  }

  /** Metrics have a column for each part: rows of parts are easier to match. */
  private static Table flat(Table table, boolean single) {
    if (table.columns().isEmpty()
        || table.columns().stream().anyMatch(column -> column.unit() != Unit.OF_ROW)) {
      return table;
    }
    List<Row> rows = new ArrayList<>();
    for (Row row : table.rows()) {
      for (int i = 0; i < table.columns().size(); i++) {
        Object value = row.values().get(i);
        rows.add(new Row(row.name(), row.subject(), row.unit(), single ? List.of(value)
            : List.of(table.columns().get(i).label(), value)));
      }
    }
    Column value = new Column("value", "value", Unit.OF_ROW);
    return new Table(table.report(), table.title(), table.trace(), table.parameters(),
        table.nameLabel(), table.unit(), 0, -1,
        single ? List.of(value) : List.of(Column.key(PART, PART, Unit.TEXT), value), rows,
        table.warnings());
  }

  private Table table(RunTables baseSet, RunTables otherSet) {
    Table sample = other.get(0).table();
    String main = options.column() == null ? mainColumn(sample) : options.column();
    List<String> keys = MatchedRows.order(base, other, main,
        sample.totalColumn() >= 0 && columns.stream()
            .noneMatch(column -> column.role() == Role.KEY && column.unit() != Unit.TEXT));
    List<Column> made = new ArrayList<>();
    for (Column column : columns) {
      if (!column.isMeasured()) {
        made.add(column);
        continue;
      }
      for (int i = 0; i < PARTS.size(); i++) {
        made.add(new Column(column.key() + "." + PARTS.get(i), LABELS.get(i),
            PARTS.get(i).equals("verdict") ? Unit.TEXT
                : PARTS.get(i).equals("ratio") ? Unit.NUMBER : column.unit()));
      }
    }
    made.add(new Column("match", "match", Unit.TEXT));
    made.add(new Column("was", "was", Unit.TEXT));
    if (sample.column(SAMPLES) >= 0) {
      made.add(new Column("chance", "chance %", Unit.PERCENT));
    }
    List<Row> rows = new ArrayList<>();
    for (String key : keys) {
      Row row = row(key);
      if (row != null) {
        rows.add(row);
      }
    }
    if (sample.column("of") >= 0) {
      rows = keptEntries(rows, made);
    }
    int total = -1;
    long sum = 0;
    boolean adds = sample.totalColumn() >= 0 && main.equals(mainColumn(sample));
    for (int i = 0; i < made.size() && adds; i++) {
      if (made.get(i).key().equals(main + "." + PARTS.get(DIFFERENCE))) {
        int column = i;
        total = i;
        sum = rows.stream().map(row -> row.values().get(column))
            .filter(Long.class::isInstance).mapToLong(Long.class::cast).sum();
      }
    }
    return new Table(sample.report(), "Difference: " + otherSet.name() + " less " + baseSet.name()
        + ", " + sample.title(),
        Stream.of(baseSet, otherSet).flatMap(set -> set.tables().stream()).map(Table::trace)
            .distinct().collect(Collectors.joining(", ")),
        parameters(baseSet, otherSet), sample.nameLabel(), sample.unit(), sum, total, made, rows,
        warnings(main, made, rows));
  }

  /** An entry of several rows is kept as a whole. */
  private List<Row> keptEntries(List<Row> rows, List<Column> made) {
    int of = indexOf(made, "of");
    int[] percents = {indexOf(made, "percent.base"), indexOf(made, "percent.new")};
    Set<Object> kept = rows.stream().filter(row -> {
      double most = 0;
      for (int percent : percents) {
        most = Math.max(most, row.values().get(percent) instanceof Number value
            ? value.doubleValue() : 0);
      }
      return most >= options.leastPercent();
    }).map(row -> row.values().get(of)).collect(Collectors.toSet());
    return rows.stream().filter(row -> kept.contains(row.values().get(of))).toList();
  }

  private static int indexOf(List<Column> columns, String key) {
    return columns.stream().map(Column::key).toList().indexOf(key);
  }

  /** @return null for one that is left out */
  private Row row(String key) {
    MatchedTable.Found before = found(base, key);
    MatchedTable.Found now = found(other, key);
    MatchedTable.Found shown = now != null ? now : before;
    // Where there was no monitor nothing is known of what it would have measured.
    boolean absentIsNone = options.absentIsNone()
        && !shown.row().name().startsWith(HistogramMetric.EXTERNAL_PREFIX);
    List<Object> values = new ArrayList<>();
    double percent = 0;
    boolean hasPercent = false;
    for (Column column : columns) {
      if (!column.isMeasured()) {
        values.add(column.unit() == Unit.FLAG ? flag(key, column)
            : Objects.requireNonNullElse(shown.value(column.key()), ""));
        continue;
      }
      double[] first = values(base, key, column, absentIsNone);
      double[] second = values(other, key, column, absentIsNone);
      Unit unit = column.unit() == Unit.OF_ROW ? shown.row().unit() : column.unit();
      add(values, first, second, unit);
      if (column.key().equals("percent")) {
        hasPercent = true;
        percent = DoubleStream.concat(Arrays.stream(first), Arrays.stream(second)).max().orElse(0);
      }
    }
    if (hasPercent && percent < options.leastPercent() && columns.stream()
        .noneMatch(column -> column.key().equals("of"))) {
      return null;
    }
    String name = shown.label();
    boolean renamed = before != null && now != null && !before.name().equals(now.name());
    boolean isSame = (before == null || now == null) && options.absentIsNone()
        && shown.row().subject() instanceof Procedure procedure && procedures.isInBoth(procedure);
    values.add(isSame ? (((Procedure) shown.row().subject()).getModule().isEmpty() ? NO_CALLS : NO_SAMPLES)
        + (before == null ? "base" : "new")
        : before == null ? "added" : now == null ? "removed" : renamed ? "renamed" : "both");
    values.add(renamed ? before.name() : "");
    if (other.get(0).table().column(SAMPLES) >= 0) {
      values.add(isSame ? chance(key, before == null) : "");
    }
    return new Row(name, shown.row().subject(), shown.row().unit(), values);
  }

  /**
   * The probability of no sample, as samples come independently (Poisson), if the share of the time is that
   * of the runs that have samples.
   */
  private Object chance(String key, boolean isBaseWithout) {
    double found = samples(isBaseWithout ? other : base, key);
    double among = isBaseWithout ? samplesOfOther : samplesOfBase;
    double without = isBaseWithout ? samplesOfBase : samplesOfOther;
    return found == 0 ? "" : (Object) (100 * Math.exp(-found * without / among));
  }

  /** @param key of a row; null for all rows */
  private static double samples(List<MatchedTable> tables, String key) {
    return tables.stream().flatMap(table -> (key == null ? table.keys() : List.of(key)).stream()
        .map(table::found)).filter(Objects::nonNull).map(found -> found.value(SAMPLES))
        .filter(Number.class::isInstance).mapToDouble(value -> ((Number) value).doubleValue()).sum();
  }

  /** Numbers of calls are exact when they are in all runs; other flags hold when they do in any. */
  private boolean flag(String key, Column column) {
    Stream<Boolean> flags = Stream.concat(base.stream(), other.stream())
        .map(table -> table.found(key)).filter(Objects::nonNull)
        .map(found -> Boolean.TRUE.equals(found.value(column.key())));
    return column.key().endsWith("Exact") ? flags.allMatch(flag -> flag)
        : flags.anyMatch(flag -> flag);
  }

  private static MatchedTable.Found found(List<MatchedTable> tables, String key) {
    return tables.stream().map(table -> table.found(key)).filter(Objects::nonNull).findFirst()
        .orElse(null);
  }

  /** Of each run, as far as it is known. */
  private static double[] values(
      List<MatchedTable> tables, String key, Column column, boolean absentIsNone) {
    return tables.stream().mapToDouble(table -> {
      MatchedTable.Found found = table.found(key);
      if (found != null) {
        return found.value(column.key()) instanceof Number number ? number.doubleValue()
            : Double.NaN;
      }
      return absentIsNone && column.role() == Role.VALUE
          && table.table().column(column.key()) >= 0 ? 0 : Double.NaN;
    }).filter(value -> !Double.isNaN(value)).toArray();
  }

  private void add(List<Object> values, double[] base, double[] other, Unit unit) {
    Difference difference = Difference.of(base, other, options.confidence());
    boolean both = base.length > 0 && other.length > 0;
    boolean known = both && difference.verdict() != Difference.Verdict.ONE_RUN;
    values.add(base.length > 0 ? number(difference.base(), unit) : "");
    values.add(other.length > 0 ? number(difference.other(), unit) : "");
    values.add(both ? number(difference.value(), unit) : "");
    values.add(both && !Double.isNaN(difference.ratio()) ? (Object) difference.ratio() : "");
    values.add(known ? number(difference.low(), unit) : "");
    values.add(known ? number(difference.high(), unit) : "");
    values.add(both ? difference.verdict().label() : "");
  }

  private static Object number(double value, Unit unit) {
    return unit == Unit.PERCENT || unit == Unit.NUMBER ? (Object) value : (Object) Math.round(value);
  }

  /** Those that hold for all runs, and what is compared. */
  private Map<String, String> parameters(RunTables baseSet, RunTables otherSet) {
    Map<String, String> parameters = new LinkedHashMap<>(other.get(0).table().parameters());
    Stream.concat(base.stream(), other.stream()).forEach(
        each -> parameters.entrySet().removeIf(
            entry -> !entry.getValue().equals(each.table().parameters().get(entry.getKey()))));
    parameters.put("base", baseSet.name());
    parameters.put("new", otherSet.name());
    parameters.put("baseRuns", Integer.toString(base.size()));
    parameters.put("newRuns", Integer.toString(other.size()));
    parameters.put("confidence", Double.toString(options.confidence()));
    return parameters;
  }

  private List<String> warnings(String main, List<Column> made, List<Row> rows) {
    Set<String> warnings = new LinkedHashSet<>();
    int verdict = indexOf(made, main + ".verdict");
    if (base.size() < 2 || other.size() < 2) {
      warnings.add("no verdict from a single run, because the variation between runs is unknown; "
          + "record several runs of each: parallax compare base1,base2,base3 new1,new2,new3");
    } else if (verdict >= 0 && !rows.isEmpty()) {
      long known = rows.stream().filter(row -> !row.values().get(verdict).equals("")).count();
      long differ = rows.stream().filter(row -> row.values().get(verdict).equals("more")
          || row.values().get(verdict).equals("less")).count();
      warnings.add(String.format(Locale.ROOT, "of %d rows, %d differ in %s with %.3g %% confidence "
          + "each; about %.0f would differ by chance", known, differ, main, 100 * options.confidence(),
          known * (1 - options.confidence())));
    }
    int chance = indexOf(made, "chance");
    if (chance >= 0) {
      List<Row> unseen = rows.stream().filter(row -> row.values().get(chance) instanceof Double).toList();
      double least = 100 * (1 - options.confidence());
      String names = unseen.stream().filter(row -> (Double) row.values().get(chance) < least)
          .map(Row::name).limit(3).collect(Collectors.joining(", "));
      if (!unseen.isEmpty()) {
        warnings.add(unseen.size() + " procedures of the same program have samples in one run only; "
            + (names.isEmpty() ? "each can be due to chance" : "this is unlikely to be chance for: " + names));
      }
    }
    int matched = indexOf(made, "match");
    if (rows.size() > 1 && rows.stream().map(row -> row.values().get(matched))
        .allMatch(match -> match.equals("added") || match.equals("removed"))) {
      warnings.add("no " + other.get(0).table().nameLabel() + " is in both runs");
    }
    Stream.concat(base.stream(), other.stream())
        .forEach(each -> warnings.addAll(each.table().warnings()));
    return List.copyOf(warnings);
  }
}
