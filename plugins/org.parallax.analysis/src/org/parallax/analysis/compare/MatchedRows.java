package org.parallax.analysis.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Column.Role;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;

/** In what order the rows of several tables stand when they are one. */
final class MatchedRows {
  private final List<MatchedTable> base;
  private final List<MatchedTable> other;
  private final String main;

  private MatchedRows(List<MatchedTable> base, List<MatchedTable> other, String main) {
    this.base = base;
    this.other = other;
    this.main = main;
  }

  /**
   * @param main the column by whose difference rows are ranked
   * @param ranked whether they are; else they stand as in the tables
   * @return the keys of the rows of all tables
   */
  static List<String> order(
      List<MatchedTable> base, List<MatchedTable> other, String main, boolean ranked) {
    MatchedRows rows = new MatchedRows(base, other, main);
    Table sample = other.get(0).table();
    if (MatchedTable.isTree(sample)) {
      return rows.tree();
    }
    if (ranked) {
      List<String> keys = rows.all();
      Map<String, Double> by = new HashMap<>();
      keys.forEach(key -> by.put(key,
          -Math.abs(rows.mean(other, key, main) - rows.mean(base, key, main))));
      keys.sort(Comparator.comparingDouble((String key) -> by.get(key))
          .thenComparing(Comparator.naturalOrder()));
      return keys;
    }
    for (Column column : sample.columns()) {
      if (column.role() == Role.KEY && column.unit() != Unit.TEXT) {
        List<String> keys = rows.all();
        keys.sort(Comparator.comparingLong(key -> rows.number(key, column.key())));
        return keys;
      }
    }
    return sample.column("of") >= 0 ? rows.together("of") : rows.merged();
  }

  private List<String> all() {
    Set<String> keys = new LinkedHashSet<>();
    Stream.concat(other.stream(), base.stream()).forEach(table -> keys.addAll(table.keys()));
    return new ArrayList<>(keys);
  }

  private MatchedTable.Found any(String key) {
    return Stream.concat(other.stream(), base.stream()).map(table -> table.found(key))
        .filter(found -> found != null).findFirst().orElseThrow();
  }

  private long number(String key, String column) {
    return (Long) any(key).value(column);
  }

  private double mean(List<MatchedTable> tables, String key, String column) {
    return tables.stream().map(table -> table.found(key))
        .mapToDouble(found -> found != null && found.value(column) instanceof Number number
            ? number.doubleValue() : 0).average().orElse(0);
  }

  /** Those of the first table, and of the others each after the one that it stands after there. */
  private List<String> merged() {
    List<String> keys = new ArrayList<>();
    Stream.concat(other.stream(), base.stream()).forEach(table -> {
      Set<String> known = new LinkedHashSet<>(keys);
      Map<String, List<String>> after = new LinkedHashMap<>();
      String last = "";
      for (String key : table.keys()) {
        if (known.contains(key)) {
          last = key;
        } else {
          after.computeIfAbsent(last, unused -> new ArrayList<>()).add(key);
        }
      }
      List<String> before = new ArrayList<>(keys);
      keys.clear();
      keys.addAll(after.getOrDefault("", List.of()));
      for (String key : before) {
        keys.add(key);
        keys.addAll(after.getOrDefault(key, List.of()));
      }
    });
    return keys;
  }

  /** Rows with the same value of a column stay together. */
  private List<String> together(String column) {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (String key : merged()) {
      groups.computeIfAbsent(any(key).text(column), unused -> new ArrayList<>()).add(key);
    }
    return groups.values().stream().flatMap(List::stream).toList();
  }

  private record Node(List<String> callees) {}

  /** Callees below their callers, those with the most time in any run first. */
  private List<String> tree() {
    List<String> all = all();
    Map<String, Node> nodes = new HashMap<>();
    nodes.put("", new Node(new ArrayList<>()));
    all.forEach(key -> nodes.put(key, new Node(new ArrayList<>())));
    for (String key : all) {
      String caller = MatchedTable.callerKey(key);
      nodes.get(nodes.containsKey(caller) ? caller : "").callees().add(key);
    }
    List<String> keys = new ArrayList<>();
    addCallees("", nodes, keys);
    return keys;
  }

  private void addCallees(String caller, Map<String, Node> nodes, List<String> keys) {
    for (String key : sorted(nodes.get(caller).callees())) {
      keys.add(key);
      addCallees(key, nodes, keys);
    }
  }

  private List<String> sorted(List<String> callees) {
    Map<String, Double> by = new HashMap<>();
    callees.forEach(key -> by.put(key,
        -Math.max(mean(other, key, "inclusive"), mean(base, key, "inclusive"))));
    return callees.stream().sorted(Comparator.comparingDouble((String key) -> by.get(key))
        .thenComparing(Comparator.naturalOrder())).toList();
  }
}
