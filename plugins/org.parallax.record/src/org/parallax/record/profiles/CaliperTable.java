package org.parallax.record.profiles;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.parallax.trace.ImportReport;
import org.parallax.trace.ProfileValues;
import org.parallax.trace.ProfileValues.Sum;
import org.parallax.trace.ProfileValues.Unit;
import org.parallax.trace.Region.Group;

/**
 * Collects the records of a Caliper profile: each has a path of regions, where it was measured, and values of metrics.
 * Memory is at most {@value CubeReader#MOST_TIMES} times the size of the file, and 1 MiB.
 */
final class CaliperTable {
  /** Prefixes of operations, the outermost first, then the metric, such as {@code max#inclusive#sum#time.duration}. */
  private static final Pattern NAME = Pattern.compile("((?:[a-z.]+#)*)([^#]+)");
  private static final Pattern TIME = Pattern.compile("time\\.(?:inclusive\\.)?duration(\\.ns)?|total_time|(?:exclusive|inclusive) time");
  private static final double NS_PER_SECOND = 1e9;
  private static final double NS_PER_US = 1e3;

  /** Where records were measured. */
  private record Place(int rank, int thread) {}

  private record Key(int parent, String region) {}

  /** A metric, and its values by node and place. */
  private static final class Column {
    final String name;
    final String unit;
    final Sum sum;
    final boolean isInclusive;
    final boolean isAverage;
    final boolean isTime;
    final boolean isVisits;
    final Map<Long, Double> values = new LinkedHashMap<>();

    Column(String name, String unit) {
      this.name = name;
      this.unit = unit.toLowerCase(Locale.ROOT);
      Matcher parts = NAME.matcher(name);
      String operations = parts.matches() ? parts.group(1) : "";
      String metric = parts.matches() ? parts.group(2) : name;
      sum = operations.contains("min#") ? Sum.MIN : operations.contains("max#") ? Sum.MAX : Sum.SUM;
      isAverage = operations.contains("avg#") || operations.contains("avg.") || operations.contains("variance#");
      isInclusive = name.contains("inclusive");
      isTime = sum == Sum.SUM && !isAverage && TIME.matcher(metric).matches();
      isVisits = sum == Sum.SUM && !isAverage && metric.equals("region.count");
    }

    double nsPerUnit() {
      return name.endsWith(".ns") || unit.equals("nsec") ? 1 : unit.startsWith("sec") ? NS_PER_SECOND : NS_PER_US;
    }
  }

  private final Profile profile;
  private final long mostBytes;
  private final Map<Place, Integer> places = new LinkedHashMap<>();
  private final Map<Key, Integer> nodes = new HashMap<>();
  private final Map<String, Integer> codes = new HashMap<>();
  private final Map<String, Column> columns = new LinkedHashMap<>();
  private final List<Integer> depths = new ArrayList<>();
  private long records;

  CaliperTable(String format, String program, long mostBytes) {
    profile = new Profile(format, program);
    this.mostBytes = mostBytes;
  }

  /** @return the node of a region below another one, -1 for none */
  int node(int parent, String region, boolean isMpi) {
    if (parent >= 0 && depths.get(parent) >= Profile.DEEPEST) {
      return parent;
    }
    return nodes.computeIfAbsent(new Key(parent, region), key -> {
      int code = codes.computeIfAbsent(region, name -> {
        profile.code.add(new Profile.Code(name, "", 0, isMpi ? Group.MPI : Group.USER));
        return profile.code.size() - 1;
      });
      depths.add(parent < 0 ? 1 : depths.get(parent) + 1);
      return profile.addNode(parent, code);
    });
  }

  /** @return the place of a rank and a thread, -1 for none */
  int place(int rank, int thread) {
    return places.computeIfAbsent(new Place(rank, thread), key -> places.size());
  }

  boolean isEmpty() {
    return columns.isEmpty();
  }

  void countRecord() {
    records++;
  }

  /** Adds a value of a call path without those below it, or with them if the metric's name says inclusive. */
  void add(String metric, String unit, int node, int place, double value) {
    if (!Double.isFinite(value)) {
      return;
    }
    Column column = columns.computeIfAbsent(metric, name -> new Column(name, unit));
    column.values.merge((long) node << 32 | place, value, (a, b) -> column.sum == Sum.SUM ? a + b
        : column.sum == Sum.MIN ? Math.min(a, b) : Math.max(a, b));
  }

  /** @return the profile of all records */
  Profile profile(List<String> faults) {
    Map<Integer, Integer> processes = new LinkedHashMap<>();
    places.keySet().forEach(place -> processes.computeIfAbsent(place.rank(), rank -> {
      profile.processes.add(new Profile.Process("unknown", "", rank));
      return processes.size();
    }));
    places.keySet().forEach(place -> profile.threads.add(new Profile.Thread(processes.get(place.rank()),
        place.thread() < 0 ? "" : "thread " + place.thread())));
    int[] parents = new int[profile.nodes()];
    for (int node = 0; node < parents.length; node++) {
      parents[node] = profile.parent(node);
    }
    WarningList warnings = new WarningList();
    warnings.addAll(faults);
    Column time = columns.values().stream().filter(column -> column.isTime && !column.isInclusive).findFirst()
        .orElse(columns.values().stream().filter(column -> column.isTime).findFirst().orElse(null));
    List<String> tooLarge = new ArrayList<>();
    List<String> averages = new ArrayList<>();
    long left = mostBytes;
    for (Column column : columns.values()) {
      long bytes = column.values.keySet().stream().mapToLong(key -> key >> 32).distinct().count() * places.size() * 8;
      if (column.isAverage) {
        averages.add(column.name);
      } else if (bytes > left) {
        tooLarge.add(column.name);
      } else {
        left -= bytes;
        add(column, column == time, parents, warnings);
      }
    }
    if (!averages.isEmpty()) {
      warnings.add("these metrics are averages, which cannot be added up, and are left out: " + String.join(", ", averages));
    }
    if (!tooLarge.isEmpty()) {
      warnings.add("these metrics take more than " + CubeReader.MOST_TIMES + " times the size of the file and are left out: "
          + String.join(", ", tooLarge));
    }
    if (profile.timeNs.length == 0) {
      warnings.add("the profile has no metric time: all times are 0");
    }
    profile.records.add(new ImportReport.Count("Record", records, 0));
    profile.records.add(new ImportReport.Count("Metric", columns.size(), averages.size() + tooLarge.size()));
    profile.warnings.addAll(warnings.sentences());
    return profile;
  }

  private void add(Column column, boolean isTime, int[] parents, List<String> warnings) {
    double scale = column.isTime ? column.nsPerUnit() : column.unit.startsWith("sec") ? NS_PER_SECOND : 1;
    double[][] rows = new double[parents.length][];
    column.values.forEach((key, value) -> {
      int node = (int) (key >> 32);
      rows[node] = rows[node] == null ? new double[places.size()] : rows[node];
      rows[node][(int) (long) key] = value * scale;
    });
    if (column.isInclusive && column.sum == Sum.SUM) {
      Profile.fillInclusive(rows, parents, places.size());
      Profile.makeExclusive(rows, parents);
    }
    if (isTime) {
      long negative = Profile.clampNegative(rows);
      if (negative > 0) {
        warnings.add(negative + " times were below 0 without those of callees, and count as 0");
      }
      profile.timeNs = rows;
    } else if (column.isVisits && profile.visits == null) {
      profile.visits = rows;
    } else {
      boolean isNs = column.isTime || column.unit.startsWith("sec");
      Unit unit = isNs ? Unit.NS : column.unit.startsWith("byte") ? Unit.BYTES : Unit.NUMBER;
      profile.metrics.add(new Profile.Metric(new ProfileValues.Metric(column.name, unit, column.sum), rows));
    }
  }
}
