package org.parallax.trace.series;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads a series as it stands in its file: native/format/SERIES.md. Cost: one pass over its bytes. */
public final class SeriesReader {
  /** What the times of a file count from. */
  public enum Clock {
    REALTIME, MONOTONIC, RUN
  }

  /** A column. */
  private static final class Column {
    final ExternalSeries.Subject subject;
    final String name;
    final boolean counter;
    final String unit;
    double[] values = new double[FIRST_READINGS];
    double most = Double.NEGATIVE_INFINITY;

    Column(ExternalSeries.Subject subject, String name, boolean counter, String unit) {
      this.subject = subject;
      this.name = name;
      this.counter = counter;
      this.unit = unit;
    }
  }

  /**
   * What stands in a file.
   *
   * @param timesNs of the readings, increasing, as the clock of the file tells them
   * @param clockLine where it says which clock, 0 if nowhere
   * @param cut whether it ends within a line
   */
  public record Content(Clock clock, long clockLine, List<ExternalSeries.Subject> subjects,
      List<List<ExternalMetric>> metrics, long[] timesNs, boolean cut) {}

  private static final String FIRST_LINE = "parallax-series 1";
  private static final int FIRST_READINGS = 256;
  private static final int MAX_LINE = 1 << 20;
  private static final int MAX_SHOWN = 40;
  private static final int MAX_NAMED = 5;

  private final List<Column> columns = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private Clock clock = Clock.REALTIME;
  private long clockLine;
  private ExternalSeries.Subject subject;
  private boolean inData;
  private long[] timesNs = new long[FIRST_READINGS];
  private int readings;
  private long line;
  private byte[] bytes = new byte[1 << 16];
  private SeriesWords words;

  private SeriesReader() {}

  /**
   * Reads to the end of the stream.
   *
   * @return null when there is no line at all: its monitor has not begun yet
   * @throws SeriesException at the first line that is wrong
   */
  public static Content read(InputStream in) throws IOException, SeriesException {
    return new SeriesReader().run(in);
  }

  private Content run(InputStream in) throws IOException, SeriesException {
    int from = 0;
    int end = 0;
    for (;;) {
      int got = in.read(bytes, end, bytes.length - end);
      if (got < 0) {
        break;
      }
      int looked = end;
      end += got;
      for (int i = looked; i < end; i++) {
        if (bytes[i] == '\n') {
          line++;
          words = new SeriesWords(bytes, from, i);
          takeLine();
          from = i + 1;
        }
      }
      if (end - from > MAX_LINE) {
        line++;
        throw wrong("a line of at most 1 MiB", "a longer one");
      }
      System.arraycopy(bytes, from, bytes, 0, end - from);
      end -= from;
      from = 0;
      if (end == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * end);
      }
    }
    if (line == 0) {
      if (end == 0) {
        return null;
      }
      line = 1;
      throw wrong("the line " + FIRST_LINE, "an incomplete line");
    }
    if (!inData) {
      line++;
      throw wrong("a metric line or the line data", "the end of the file");
    }
    return content(end > 0);
  }

  private Content content(boolean cut) {
    long[] times = Arrays.copyOf(timesNs, readings);
    List<ExternalSeries.Subject> subjects = new ArrayList<>();
    List<List<ExternalMetric>> metrics = new ArrayList<>();
    for (Column column : columns) {
      int at = subjects.indexOf(column.subject);
      if (at < 0) {
        at = subjects.size();
        subjects.add(column.subject);
        metrics.add(new ArrayList<>());
      }
      metrics.get(at).add(ExternalMetric.of(column.name, column.counter, column.unit, times,
          Arrays.copyOf(column.values, readings)));
      column.values = null;
    }
    return new Content(clock, clockLine, subjects, metrics, times, cut);
  }

  private void takeLine() throws SeriesException {
    if (line == 1) {
      String text = words.rest();
      if (!text.equals(FIRST_LINE)) {
        throw wrong("the line " + FIRST_LINE, quoted(text));
      }
    } else if (words.next() && !words.beginsWith('#')) {
      if (inData) {
        takeReading();
      } else {
        takeHead();
      }
    }
  }

  private void takeHead() throws SeriesException {
    switch (words.text()) {
      case "object" -> takeObject();
      case "clock" -> takeClock();
      case "metric" -> takeMetric();
      case "data" -> {
        if (columns.isEmpty()) {
          throw wrong("a metric line before data", "none");
        }
        inData = true;
      }
      default -> throw wrong("object, clock, metric or data", found());
    }
    if (words.next()) {
      throw wrong("the end of the line", found());
    }
  }

  private void takeObject() throws SeriesException {
    String expected = "machine HOST, process HOST PID or application NAME after object";
    String kind = word(expected);
    switch (kind) {
      case "machine" -> subject = new ExternalSeries.Subject(
          ExternalSeries.Kind.MACHINE, word("the name of a host"), -1);
      case "process" -> {
        String host = word("the name of a host");
        subject = new ExternalSeries.Subject(ExternalSeries.Kind.PROCESS, host, pid());
      }
      case "application" -> {
        String name = words.rest();
        if (name.isEmpty()) {
          throw wrong("the name of an application", "the end of the line");
        }
        subject = new ExternalSeries.Subject(ExternalSeries.Kind.APPLICATION, name, -1);
      }
      default -> throw wrong(expected, found());
    }
  }

  private int pid() throws SeriesException {
    String text = word("a process id");
    try {
      int pid = Integer.parseInt(text);
      if (pid > 0) {
        return pid;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw wrong("a process id", found());
  }

  private void takeClock() throws SeriesException {
    if (clockLine > 0) {
      throw wrong("a single clock line", "a second one; the first is in line " + clockLine);
    }
    clockLine = line;
    clock = switch (word("realtime, monotonic or run after clock")) {
      case "realtime" -> Clock.REALTIME;
      case "monotonic" -> Clock.MONOTONIC;
      case "run" -> Clock.RUN;
      default -> throw wrong("realtime, monotonic or run after clock", found());
    };
  }

  private void takeMetric() throws SeriesException {
    if (subject == null) {
      throw wrong("an object line before the first metric", "none");
    }
    String name = word("the name of a metric");
    if (name.indexOf(',') >= 0) {
      throw wrong("the name of a metric without a comma", found());
    }
    if (!names.add(subject + "\0" + name)) {
      throw wrong("each metric of an object only once", found() + " again");
    }
    boolean counter = switch (word("gauge or counter after the metric's name")) {
      case "gauge" -> false;
      case "counter" -> true;
      default -> throw wrong("gauge or counter after the metric's name", found());
    };
    columns.add(new Column(subject, name, counter, words.next() ? words.text() : ""));
  }

  private void takeReading() throws SeriesException {
    long timeNs = words.time();
    if (timeNs == SeriesWords.NO_TIME) {
      throw wrong("a time in seconds such as 1795308253.25", found());
    }
    if (readings > 0 && timeNs < timesNs[readings - 1]) {
      throw wrong("a time from " + seconds(timesNs[readings - 1]) + " on, because times must not "
          + "decrease",
          seconds(timeNs));
    }
    if (readings > 0 && timeNs == timesNs[readings - 1]) {
      readings--;
    }
    if (readings == timesNs.length) {
      int length = Math.toIntExact(Math.min(Integer.MAX_VALUE - 8, 2L * readings));
      timesNs = Arrays.copyOf(timesNs, length);
      columns.forEach(column -> column.values = Arrays.copyOf(column.values, length));
    }
    for (int i = 0; i < columns.size(); i++) {
      if (!words.next()) {
        throw wrong(values(), i == 0 ? "none" : String.valueOf(i));
      }
      take(columns.get(i));
    }
    if (words.next()) {
      throw wrong(values(), "more, from " + found() + " on");
    }
    timesNs[readings++] = timeNs;
  }

  private void take(Column column) throws SeriesException {
    double value = words.number();
    if (Double.isNaN(value) && !words.isDash()) {
      throw wrong("a number or - for " + column.name, found());
    }
    if (Double.isInfinite(value)) {
      throw wrong("a number below 1e308 for " + column.name, found());
    }
    if (column.counter && value < column.most) {
      throw wrong("at least " + plain(column.most) + " for the counter " + column.name
          + ", which must not decrease", found());
    }
    column.values[readings] = value;
    column.most = Math.max(column.most, Double.isNaN(value) ? column.most : value);
  }

  private String values() {
    List<String> few = columns.stream().limit(MAX_NAMED).map(column -> column.name).toList();
    return (columns.size() == 1 ? "one value" : columns.size() + " values") + " ("
        + String.join(" ", few) + (few.size() < columns.size() ? " ..." : "") + ")";
  }

  private static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value)
        : Double.toString(value);
  }

  private static String seconds(long ns) {
    return java.math.BigDecimal.valueOf(ns, 9).stripTrailingZeros().toPlainString();
  }

  private String word(String expected) throws SeriesException {
    if (!words.next()) {
      throw wrong(expected, "the end of the line");
    }
    return words.text();
  }

  private String found() {
    return quoted(words.text());
  }

  /** For people, on one line. */
  private static String quoted(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints().limit(MAX_SHOWN)
        .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    return '"' + shown.toString()
        + (text.codePointCount(0, text.length()) > MAX_SHOWN ? "..." : "") + '"';
  }

  private SeriesException wrong(String expected, String found) {
    return new SeriesException(line, expected, found);
  }
}
