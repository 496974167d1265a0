package org.parallax.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes a trace of Paraver from the calls and messages of a program, as Extrae orders its records. */
final class PrvText {
  static final int POINT_TO_POINT = 50000001;
  static final int COLLECTIVE = 50000002;
  static final int OTHER = 50000003;
  static final int FUNCTION = 60000019;

  private record Line(long time, int order, String text) {}

  private final int ranks;
  private final List<Line> lines = new ArrayList<>();
  private final TreeMap<String, Integer> names = new TreeMap<>();
  private long last;

  PrvText(int ranks) {
    this.ranks = ranks;
  }

  private static String place(int rank) {
    return (rank + 1) + ":1:" + (rank + 1) + ":1:";
  }

  private void add(long time, int order, String text) {
    lines.add(new Line(time, order, text));
    last = Math.max(last, time);
  }

  /** A value of a type, and further pairs of types and values. */
  PrvText event(long time, int rank, long... pairs) {
    StringBuilder text = new StringBuilder("2:" + place(rank) + time);
    for (long each : pairs) {
      text.append(':').append(each);
    }
    add(time, 1, text.toString());
    return this;
  }

  /** A call of a routine of MPI by its value. */
  PrvText mpi(long begin, long end, int rank, int type, int value, long... more) {
    long[] pairs = new long[more.length + 2];
    pairs[0] = type;
    pairs[1] = value;
    System.arraycopy(more, 0, pairs, 2, more.length);
    return event(begin, rank, pairs).event(end, rank, type, 0);
  }

  PrvText enter(long time, int rank, String function) {
    return event(time, rank, FUNCTION, names.computeIfAbsent(function, name -> names.size() + 1));
  }

  PrvText leave(long time, int rank) {
    return event(time, rank, FUNCTION, 0);
  }

  /** A state from one time to another. */
  PrvText state(long begin, long end, int rank, int state) {
    add(begin, 0, "1:" + place(rank) + begin + ":" + end + ":" + state);
    return this;
  }

  PrvText message(int from, long sendBegin, long sendEnd, int to, long receiveBegin, long receiveEnd, long bytes, int tag) {
    add(sendBegin, 2, "3:" + place(from) + sendBegin + ":" + sendEnd + ":" + place(to) + receiveBegin + ":" + receiveEnd + ":"
        + bytes + ":" + tag);
    return this;
  }

  /** @return the {@code .prv}; its {@code .pcf} and {@code .row} are beside it */
  Path write(Path directory, String name) throws IOException {
    String tasks = IntStream.range(0, ranks).mapToObj(rank -> "1:1").collect(Collectors.joining(","));
    StringBuilder text = new StringBuilder("#Paraver (28/11/2026 at 12:00):" + last + "_ns:1(" + ranks + "):1:" + ranks + "(" + tasks
        + "),1\nc:1:1:" + ranks);
    IntStream.rangeClosed(1, ranks).forEach(task -> text.append(':').append(task));
    lines.stream().sorted(Comparator.comparingLong(Line::time).thenComparing(Line::order))
        .forEach(line -> text.append('\n').append(line.text()));
    StringBuilder labels = new StringBuilder("EVENT_TYPE\n0    60000019    User function\nVALUES\n0      End\n");
    names.forEach((function, value) -> labels.append(value).append("   ").append(function).append('\n'));
    Files.writeString(directory.resolve(name + ".pcf"), labels);
    Files.writeString(directory.resolve(name + ".row"), "LEVEL NODE SIZE 1\nnode1\n\nLEVEL APPL SIZE 1\nring\n");
    return Files.writeString(directory.resolve(name + ".prv"), text.append('\n'));
  }
}
