package org.parallax.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.model.Procedure;

/**
 * Finds out which rows of two tables are about the same procedure: those with the same name, and of the
 * others the pairs that are alike enough for one to be the other renamed: at the same place, or near it
 * with a name that is alike.
 */
final class RowMatching {
  private static final double LEAST_ALIKE = 0.55;
  private static final double NAME = 0.6;
  private static final double FILE = 0.25;
  private static final double LINE = 0.15;
  private static final double NEAR_LINES = 40;
  /** Pairs are many where whole programs differ; those with little time do not matter. */
  private static final int MOST_ROWS = 400;

  private RowMatching() {}

  private record Pair(String base, String other, double alike) {}

  /**
   * @param base rows by name, those with the most weight first
   * @param other the same of the other table
   * @return for names of {@code other} that are missing in {@code base}, what they were called there
   */
  static Map<String, String> renamed(Map<String, Row> base, Map<String, Row> other) {
    List<Pair> pairs = new ArrayList<>();
    List<String> gone = only(base, other);
    for (String name : only(other, base)) {
      for (String before : gone) {
        double alike = alike(base.get(before), other.get(name));
        if (alike >= LEAST_ALIKE) {
          pairs.add(new Pair(before, name, alike));
        }
      }
    }
    pairs.sort(Comparator.comparingDouble((Pair pair) -> -pair.alike)
        .thenComparing(Pair::base).thenComparing(Pair::other));
    Map<String, String> renamed = new HashMap<>();
    Set<String> taken = new HashSet<>();
    for (Pair pair : pairs) {
      if (!renamed.containsKey(pair.other) && taken.add(pair.base)) {
        renamed.put(pair.other, pair.base);
      }
    }
    return renamed;
  }

  private static List<String> only(Map<String, Row> these, Map<String, Row> others) {
    return these.entrySet().stream()
        .filter(entry -> !others.containsKey(entry.getKey()) && procedure(entry.getValue()) != null)
        .map(Map.Entry::getKey).limit(MOST_ROWS).toList();
  }

  private static Procedure procedure(Row row) {
    return row.subject() instanceof Procedure procedure && !procedure.getFile().isEmpty()
        ? procedure : null;
  }

  /** From 0 for nothing in common to 1. */
  static double alike(Row base, Row other) {
    Procedure a = procedure(base);
    Procedure b = procedure(other);
    int lines = Math.abs(a.getLine() - b.getLine());
    boolean near = fileName(a).equals(fileName(b)) && lines < NEAR_LINES;
    if (near && lines == 0) {
      return 1;
    }
    return NAME * alike(plain(base.name()), plain(other.name()))
        + (near ? FILE + LINE * (1 - lines / NEAR_LINES) : 0);
  }

  private static String fileName(Procedure procedure) {
    return procedure.getFile().substring(procedure.getFile().lastIndexOf('/') + 1);
  }

  /** Without parameters. */
  private static String plain(String name) {
    int parameters = name.indexOf('(');
    return parameters > 0 ? name.substring(0, parameters) : name;
  }

  /** The share of pairs of neighbouring letters that two names have in common (Dice 1945). */
  private static double alike(String a, String b) {
    if (a.equals(b)) {
      return 1;
    }
    Map<String, Integer> pairs = new HashMap<>();
    for (int i = 0; i + 1 < a.length(); i++) {
      pairs.merge(a.substring(i, i + 2), 1, Integer::sum);
    }
    int common = 0;
    for (int i = 0; i + 1 < b.length(); i++) {
      if (pairs.merge(b.substring(i, i + 2), -1, Integer::sum) >= 0) {
        common++;
      }
    }
    return 2.0 * common / Math.max(1, a.length() + b.length() - 2);
  }
}
