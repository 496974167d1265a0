package org.parallax.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.parallax.analysis.source.SourceLines;
import org.parallax.analysis.source.SourceLines.Function;
import org.parallax.analysis.source.SourceLines.Line;
import org.parallax.analysis.source.SourceLines.Numbers;
import org.parallax.analysis.source.SourceLines.Part;
import org.parallax.model.program.Procedure;

/**
 * What is known of the lines of one file. Immutable.
 *
 * @param source in which the file is
 * @param parts what was computed besides the profile
 * @param entries by line
 * @param units of each number the unit of its column
 * @param longest of each number the longest text, with 0 for each digit: how wide its column must be
 * @param changedMs when the file was written, if that was after the run; else 0
 * @param runMs when the program ran
 */
record FileNumbers(SourceLines source, Set<Part> parts, TreeMap<Integer, Entry> entries,
    Map<SourceNumber, String> units, Map<SourceNumber, String> longest, long changedMs, long runMs) {
  static final FileNumbers NONE =
      new FileNumbers(null, Set.of(), new TreeMap<>(), Map.of(), Map.of(), 0, 0);

  /**
   * What is known of a line.
   *
   * @param lines of it: one, or one for each name that the compiler has for the file
   * @param functions that are declared in it
   */
  record Entry(int number, List<Line> lines, List<Function> functions) {
    Entry(int number) {
      this(number, new ArrayList<>(), new ArrayList<>());
    }

    /** What the ruler shows: that of the functions where there are any. */
    Numbers shown() {
      Numbers sum = Numbers.NONE;
      for (Function function : functions) {
        sum = sum(sum, function.numbers());
      }
      return functions.isEmpty() ? ofLine() : sum;
    }

    /** That of the line by itself. */
    Numbers ofLine() {
      Numbers sum = Numbers.NONE;
      for (Line line : lines) {
        sum = sum(sum, line.numbers());
      }
      return sum;
    }

    private static Numbers sum(Numbers a, Numbers b) {
      return a == Numbers.NONE ? b : a.plus(b);
    }

    /** The procedure that has the line; null when it is not known. */
    Procedure procedure() {
      return functions.isEmpty() ? lines.get(0).procedure() : functions.get(0).procedure();
    }
  }

  /** @param recorded the names that the compiler has for the file */
  static FileNumbers of(SourceNumbers.Result result, Collection<String> recorded, long changedMs) {
    SourceLines source = result.source();
    TreeMap<Integer, Entry> entries = new TreeMap<>();
    for (String file : recorded) {
      for (Line line : source.lines(file)) {
        if (line.line() > 0) {
          entries.computeIfAbsent(line.line(), Entry::new).lines().add(line);
        }
      }
      for (Function function : source.functions(file)) {
        if (function.line() > 0) {
          entries.computeIfAbsent(function.line(), Entry::new).functions().add(function);
        }
      }
    }
    Map<SourceNumber, String> units = new EnumMap<>(SourceNumber.class);
    Map<SourceNumber, String> longest = new EnumMap<>(SourceNumber.class);
    for (SourceNumber number : SourceNumber.values()) {
      String unit = number.unit(entries.values().stream()
          .mapToLong(entry -> number.of(entry.shown())).max().orElse(0));
      String most = "";
      for (Entry entry : entries.values()) {
        String text = cell(number, entry, source, unit);
        most = text.length() > most.length() ? text : most;
      }
      units.put(number, unit);
      longest.put(number, most.replaceAll("[0-9]", "0"));
    }
    return new FileNumbers(source, result.parts(), entries, units, longest, changedMs, result.runMs());
  }

  private static String cell(
      SourceNumber number, Entry entry, SourceLines source, String unit) {
    return number.of(entry.shown()) == 0 ? "" : number.cell(entry.shown(), source, unit);
  }

  /** As the ruler shows it: in the unit of the column, and empty for nothing. */
  String cell(SourceNumber number, Entry entry) {
    return cell(number, entry, source, units.get(number));
  }

  String heading(SourceNumber number) {
    return number.heading(units.get(number));
  }

  /** Whether what is shown of a line rests on few samples. */
  boolean isUncertain(Entry entry) {
    return source.interval(entry.shown()).isUncertain(entry.shown().exclusiveNs());
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** The largest number of a line of code; what is known of functions as a whole does not count. */
  long most(SourceNumber number) {
    return entries.values().stream().mapToLong(entry -> number.of(entry.ofLine())).max().orElse(0);
  }
}
