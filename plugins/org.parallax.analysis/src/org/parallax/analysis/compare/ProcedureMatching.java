package org.parallax.analysis.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.parallax.model.program.Application;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.ProcedureKind;
import org.parallax.model.program.ProcedureName;

/**
 * Finds out which procedures of two runs are the same: those with the same name, and of the others the
 * pairs that are alike enough for one to be the other renamed: at the same place, or near it with a
 * name that is alike. Where a run has several functions of one name in several files, those of the same
 * name and file are the same.
 */
public final class ProcedureMatching {
  private static final double LEAST_ALIKE = 0.55;
  private static final double NAME = 0.6;
  private static final double FILE = 0.25;
  private static final double LINE = 0.15;
  private static final double NEAR_LINES = 40;
  /** Pairs are many where whole programs differ. */
  private static final int MOST = 400;

  private final Map<String, String> renamed;
  private final boolean none;
  private final SameBinaries binaries;
  /** As they are called in the base. */
  private final Set<String> inSeveralFiles;

  private record Pair(String base, String other, double alike) {}

  /** Of applications of a run, or of repetitions of it, with those of another. */
  public ProcedureMatching(List<Application> base, List<Application> other) {
    Map<String, Procedure> before = procedures(base);
    Map<String, Procedure> now = procedures(other);
    binaries = new SameBinaries(base, other);
    renamed = renamed(before, now);
    inSeveralFiles = inSeveralFiles(base, other);
    none = !before.isEmpty() && !now.isEmpty() && renamed.isEmpty()
        && now.keySet().stream().noneMatch(before::containsKey);
  }

  /** Names of functions in several files of a run. Where the file of one is not known, nobody can tell them apart. */
  private Set<String> inSeveralFiles(List<Application> base, List<Application> other) {
    Set<String> several = new HashSet<>();
    Set<String> unknown = new HashSet<>();
    for (boolean isBase : new boolean[] {true, false}) {
      Map<String, String> files = new HashMap<>();
      for (Application application : isBase ? base : other) {
        for (Procedure procedure : application.getProcedures()) {
          ProcedureName found = ProcedureName.of(procedure);
          String name = isBase ? found.name() : before(found.name());
          if (found.file().isEmpty()) {
            unknown.add(name);
          } else if (!files.computeIfAbsent(name, first -> found.file()).equals(found.file())) {
            several.add(name);
          }
        }
      }
    }
    several.removeAll(unknown);
    return several;
  }

  /**
   * What a procedure is called to tell it from others: by its name, and by its file if only that tells it from others
   * of its name.
   *
   * @param isOfBase whether it is one of the base; else it is one of the other run, and keeps its name there
   */
  public ProcedureName distinct(Procedure procedure, boolean isOfBase) {
    ProcedureName name = ProcedureName.of(procedure);
    return inSeveralFiles.contains(isOfBase ? name.name() : before(name.name())) ? name
        : new ProcedureName(name.name(), "");
  }

  /** By name; those of the programs themselves come before those of libraries. */
  private static Map<String, Procedure> procedures(List<Application> applications) {
    Map<String, Procedure> own = new LinkedHashMap<>();
    Map<String, Procedure> libraries = new LinkedHashMap<>();
    for (Application application : applications) {
      for (Procedure procedure : application.getProcedures()) {
        if (procedure.getKind() != ProcedureKind.AGENT) {
          (procedure.getModule().contains(".so") ? libraries : own)
              .putIfAbsent(procedure.getName(), procedure);
        }
      }
    }
    libraries.forEach(own::putIfAbsent);
    return own;
  }

  /** @return whether both have procedures and none is in both */
  public boolean isNone() {
    return none;
  }

  /** @return whether a procedure of one run exists in the other, even if the other has no sample of it */
  boolean isInBoth(Procedure procedure) {
    return binaries.has(procedure);
  }

  /** @return what a procedure of the other run is called in the base */
  public String before(String name) {
    return renamed.getOrDefault(name, name);
  }

  /** @return what a procedure of the base is called in the other run */
  public String now(String name) {
    return renamed.entrySet().stream().filter(entry -> entry.getValue().equals(name))
        .map(Map.Entry::getKey).findFirst().orElse(name);
  }

  /** @return what a call path of the other run is called in the base */
  String beforePath(String path) {
    return renamed.isEmpty() || path.isEmpty() ? path
        : Arrays.stream(path.split(";")).map(this::before).collect(Collectors.joining(";"));
  }

  private Map<String, String> renamed(
      Map<String, Procedure> base, Map<String, Procedure> other) {
    List<Pair> pairs = new ArrayList<>();
    List<Procedure> gone = only(base, other);
    for (Procedure now : only(other, base)) {
      for (Procedure before : gone) {
        double alike = alike(before, now);
        if (alike >= LEAST_ALIKE) {
          pairs.add(new Pair(before.getName(), now.getName(), alike));
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

  /** A procedure of a file that both runs have is not renamed. */
  private List<Procedure> only(
      Map<String, Procedure> these, Map<String, Procedure> others) {
    return these.entrySet().stream().filter(entry -> !others.containsKey(entry.getKey())
        && !entry.getValue().getFile().isEmpty() && !binaries.has(entry.getValue())).map(Map.Entry::getValue).limit(MOST).toList();
  }

  /** From 0 for nothing in common to 1. */
  static double alike(Procedure a, Procedure b) {
    int lines = Math.abs(a.getLine() - b.getLine());
    boolean near = fileName(a).equals(fileName(b)) && lines < NEAR_LINES;
    if (near && lines == 0) {
      return 1;
    }
    return NAME * alike(plain(a.getName()), plain(b.getName()))
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
