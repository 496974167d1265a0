package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.waits.Traffic;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * What goes from whom to whom as a matrix: a row for each part of the program that can send and a
 * column for each that can receive, the same ones in the same order. Messages and streams are one.
 * Only what is not empty is kept. Its sums are those of {@link TrafficReport}.
 */
public final class TrafficMatrix {
  /** What a cell can tell. */
  public enum Metric {
    BYTES(Unit.BYTES), MESSAGES(Unit.COUNT), RECEIVER_WAIT(Unit.NANOSECONDS),
    SENDER_WAIT(Unit.NANOSECONDS), MEAN_TIME(Unit.NANOSECONDS);

    private final Unit unit;

    Metric(Unit unit) {
      this.unit = unit;
    }

    public Unit unit() {
      return unit;
    }

    /** @return as reports name it */
    public String key() {
      String[] words = name().toLowerCase(Locale.ROOT).split("_");
      return words.length == 1 ? words[0]
          : words[0] + Character.toUpperCase(words[1].charAt(0)) + words[1].substring(1);
    }
  }

  /**
   * A part of the program.
   *
   * @param object of the model
   */
  public record Part(String name, Object object) {}

  /** What went from one part to another. */
  public static final class Cell {
    private final int from;
    private final int to;
    private long messages;
    private long timedMessages;
    private long bytes;
    private long timeNs;
    private long receiverWaitNs;
    private long senderWaitNs;

    private Cell(int from, int to) {
      this.from = from;
      this.to = to;
    }

    /** @return index of who sent */
    public int from() {
      return from;
    }

    /** @return index of who received */
    public int to() {
      return to;
    }

    /** @return the value in the metric's unit; 0 for the mean of nothing */
    public long value(Metric metric) {
      return switch (metric) {
        case BYTES -> bytes;
        case MESSAGES -> messages;
        case RECEIVER_WAIT -> receiverWaitNs;
        case SENDER_WAIT -> senderWaitNs;
        case MEAN_TIME -> timedMessages == 0 ? 0 : timeNs / timedMessages;
      };
    }
  }

  private final List<Part> parts;
  private final Map<Long, Cell> cells;

  private TrafficMatrix(List<Part> parts, Map<Long, Cell> cells) {
    this.parts = List.copyOf(parts);
    this.cells = cells;
  }

  /**
   * Makes the matrix.
   *
   * @param level between whom: application, machine, process or thread
   * @param node whose threads send or receive; null for all. Others are there if they do so with them
   */
  public static TrafficMatrix of(
      ApplicationAnalysis analysis, Level level, TreeNode node, Progress progress) {
    Traffic traffic = analysis.traffic(progress);
    Scope scope = new Scope(analysis, node);
    Map<String, Integer> numbers = new LinkedHashMap<>();
    List<Part> parts = new ArrayList<>();
    Map<Long, Cell> cells = new LinkedHashMap<>();
    List<Traffic.Flow> flows = traffic.flows().stream()
        .filter(flow -> scope.has(analysis.thread(traffic.threads().get(flow.from())))
            || scope.has(analysis.thread(traffic.threads().get(flow.to())))).toList();
    Map<ProgramThread, Boolean> met = new HashMap<>();
    for (Traffic.Flow flow : flows) {
      met.put(analysis.thread(traffic.threads().get(flow.from())), true);
      met.put(analysis.thread(traffic.threads().get(flow.to())), true);
    }
    // In the order of the program: neighbours in it are neighbours in the matrix.
    for (ProcessTrace process : analysis.workload().processes()) {
      for (ThreadTrace trace : process.threads()) {
        ProgramThread thread = analysis.workload().thread(process, trace.id());
        if (thread != null && (scope.has(thread) || met.containsKey(thread))) {
          number(thread, level, numbers, parts);
        }
      }
    }
    for (Traffic.Flow flow : flows) {
      int from =
          number(analysis.thread(traffic.threads().get(flow.from())), level, numbers, parts);
      int to = number(analysis.thread(traffic.threads().get(flow.to())), level, numbers, parts);
      Cell cell = cells.computeIfAbsent(key(from, to), key -> new Cell(from, to));
      cell.messages += flow.messages();
      cell.timedMessages += flow.timedMessages();
      cell.bytes += flow.bytes();
      cell.timeNs += flow.timeNs();
      cell.receiverWaitNs += flow.receiverWaitNs();
      cell.senderWaitNs += flow.senderWaitNs();
    }
    return new TrafficMatrix(parts, cells);
  }

  private static int number(
      ProgramThread thread, Level level, Map<String, Integer> numbers, List<Part> parts) {
    String name = Names.where(thread, level);
    return numbers.computeIfAbsent(name, each -> {
      parts.add(new Part(name, Names.subject(thread, level)));
      return parts.size() - 1;
    });
  }

  private static long key(int from, int to) {
    return (long) from << Integer.SIZE | to;
  }

  /** @return who sends and receives, in the order of rows and columns */
  public List<Part> parts() {
    return parts;
  }

  /** @return those in which there is something, in no order */
  public List<Cell> cells() {
    return List.copyOf(cells.values());
  }

  /** @return null if nothing went there */
  public Cell cell(int from, int to) {
    return cells.get(key(from, to));
  }

  /** @return the least value of a cell that is not 0; 0 if there is none */
  public long least(Metric metric) {
    return cells.values().stream().mapToLong(cell -> cell.value(metric)).filter(value -> value > 0)
        .min().orElse(0);
  }

  /** @return the largest value of a cell, 0 if there is none */
  public long largest(Metric metric) {
    return cells.values().stream().mapToLong(cell -> cell.value(metric)).max().orElse(0);
  }
}
