package org.parallax.trace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.trace.Finding;
import org.parallax.trace.Finding.Severity;
import org.parallax.trace.Goldens;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceSeries;
import org.parallax.trace.testing.TraceBuilder;

/** What other monitors hand in. */
class ExternalSeriesTest {
  private static final String HEAD = "parallax-series 1\nobject machine node1\n";
  private static final long START_S = TraceBuilder.BASE_REALTIME_NS / 1_000_000_000L;

  @TempDir
  Path directory;

  /** A run of 10 s on two machines. */
  private TraceBuilder run() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("run")).tsc(3_000_000_000L);
    builder.process("node1", "/opt/a").exit(10_000_000_000L, 0).thread(0).threadBegin(0, -1)
        .threadEnd(10_000_000_000L);
    builder.process("node2", "/opt/b").start(2_000_000_000L).exit(9_000_000_000L, 0).thread(0)
        .threadBegin(2_000_000_000L, -1).threadEnd(9_000_000_000L);
    return builder;
  }

  private Trace open(String... series) throws Exception {
    Path trace = run().write();
    for (int i = 0; i < series.length; i++) {
      Files.writeString(trace.resolve("s" + i + ".series"), series[i]);
    }
    return Trace.open(trace);
  }

  private static SeriesReader.Content read(String text) throws Exception {
    return SeriesReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** The pieces of a metric, as text. */
  private static List<String> pieces(ExternalMetric metric, long from, long to) {
    List<String> pieces = new ArrayList<>();
    metric.visit(from, to, (begin, end, level) -> pieces.add(begin + ".." + end + " " + level));
    return pieces;
  }

  private static List<String> pieces(ExternalMetric metric) {
    return pieces(metric, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  @Test
  void whatACProgramWritesByTheHeader() throws Exception {
    try (InputStream in = Files.newInputStream(Goldens.directory().resolve("c-header.series"))) {
      SeriesReader.Content content = SeriesReader.read(in);
      assertEquals(SeriesReader.Clock.REALTIME, content.clock());
      assertEquals(
          List.of("application name with spaces", "machine node1", "process node1 4711"),
          content.subjects().stream().map(Object::toString).toList());
      assertEquals(List.of("[level]", "[sent [bytes]]", "[level [m]]"),
          content.metrics().stream().map(Object::toString).toList());
      assertEquals(List.of(false, true, false), content.metrics().stream()
          .map(metrics -> metrics.get(0).isCounter()).toList());
      assertEquals(List.of(1_700_000_000_000_000_005L, 1_700_000_000_100_000_000L),
          List.of(content.timesNs()[0], content.timesNs()[1]));
      assertEquals(List.of("1700000000000000005..1700000000100000000 0.1"),
          pieces(content.metrics().get(0).get(0)));
      assertEquals(2 / 0.099999995, levelOf(content.metrics().get(1).get(0)), 1e-6);
      assertEquals(-1.5e-300, levelOf(content.metrics().get(2).get(0)));
      assertEquals(false, content.cut());
    }
  }

  private static double levelOf(ExternalMetric metric) {
    String piece = pieces(metric).get(0);
    return Double.parseDouble(piece.substring(piece.indexOf(' ')));
  }

  @Test
  void gaugesHoldAndCountersGrowEvenly() throws Exception {
    SeriesReader.Content content = read(HEAD + "clock run\n# of a test\nmetric g gauge\n"
        + "metric c\tcounter bytes\r\n\ndata\n  1 5 10\n# between\n2 -  -\n3 6 30\n3 7 34\n5 8 34\n");
    ExternalMetric gauge = content.metrics().get(0).get(0);
    ExternalMetric counter = content.metrics().get(0).get(1);
    assertEquals(List.of("1000000000..2000000000 5.0", "3000000000..5000000000 7.0"),
        pieces(gauge));
    assertEquals(List.of("1000000000..3000000000 12.0", "3000000000..5000000000 0.0"),
        pieces(counter));
    assertEquals(List.of("1500000000..2000000000 5.0", "3000000000..3000000001 7.0"),
        pieces(gauge, 1_500_000_000L, 3_000_000_001L));
    assertEquals(List.of(), pieces(gauge, 0, 1_000_000_000L));
    assertEquals(List.of(), pieces(gauge, 2_000_000_000L, 3_000_000_000L));
    assertEquals(List.of(), pieces(gauge, 5_000_000_000L, 6_000_000_000L));
    assertEquals(List.of("4000000000..4000000001 0.0"),
        pieces(counter, 4_000_000_000L, 4_000_000_001L));
    assertEquals("bytes", counter.unit());
    assertEquals("c", counter.name());
  }

  /** Ticks of 3 GHz. */
  @Test
  void everyClockEndsOnTheTimeOfTheTrace() throws Exception {
    long monotonicS = TraceBuilder.BASE_MONOTONIC_NS / 1_000_000_000L;
    try (Trace trace = open(
        HEAD + "metric a gauge\ndata\n" + START_S + ".25 1\n" + (START_S + 1) + ".000000001 1\n",
        HEAD + "clock monotonic\nmetric a gauge\ndata\n" + (monotonicS + 3) + " 1\n"
            + (monotonicS + 4) + " 1\n",
        "parallax-series 1\nobject application a\nclock monotonic\nmetric a gauge\ndata\n"
            + (monotonicS + 3) + " 1\n" + (monotonicS + 4) + " 1\n",
        HEAD + "clock run\nmetric a gauge\ndata\n-1.5 1\n2.5 1\n")) {
      assertEquals(List.of(), trace.warnings().stream()
          .filter(warning -> warning.contains("external")).toList());
      List<ExternalSeries> series = trace.externalSeries();
      assertEquals(List.of("s0", "s1", "s2", "s3"),
          series.stream().map(ExternalSeries::name).toList());
      assertEquals(List.of(250_000_000L, 3_000_000_000L, 3_000_000_000L, -1_500_000_000L),
          series.stream().map(ExternalSeries::beginNs).toList());
      assertEquals(List.of(1_000_000_001L, 4_000_000_000L, 4_000_000_000L, 2_500_000_000L),
          series.stream().map(ExternalSeries::endNs).toList());
      assertEquals(List.of("250000000..1000000001 1.0"), pieces(series.get(0).metrics().get(0)));
      assertEquals(List.of("250000007..1000000008 1.0"),
          pieces(series.get(0).movedBy(7).metrics().get(0)));
      assertEquals(List.of(), TraceSeries.check(trace));
    }
  }

  @Test
  void aMonotonicClockNeedsItsMachine() throws Exception {
    try (Trace trace = open("parallax-series 1\n\nclock monotonic\nobject machine node7\n"
        + "metric a gauge\ndata\n1 1\n")) {
      assertEquals(List.of(), trace.externalSeries());
      Finding finding = TraceSeries.check(trace).get(0);
      assertEquals("line 3: expected clock realtime, because the trace does not have the monotonic "
          + "clock of node7, only of node1, node2, found clock monotonic",
          finding.fact());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "parallax-series 2\\n | 1 | the line parallax-series 1 | \"parallax-series 2\"",
      "hello\\n | 1 | the line parallax-series 1 | \"hello\"",
      "parallax-series 1 | 1 | the line parallax-series 1 | an incomplete line",
      "H | 3 | a metric line or the line data | the end of the file",
      "Hmetric a gauge\\n | 4 | a metric line or the line data | the end of the file",
      "Hdata\\n | 3 | a metric line before data | none",
      "Hcolour red\\n | 3 | object, clock, metric or data | \"colour\"",
      "parallax-series 1\\nmetric a gauge\\n | 2 | an object line before the first metric | none",
      "Hobject\\n | 3 | machine HOST, process HOST PID or application NAME after object | "
          + "the end of the line",
      "Hobject disk sda\\n | 3 | machine HOST, process HOST PID or application NAME after object | "
          + "\"disk\"",
      "Hobject machine\\n | 3 | the name of a host | the end of the line",
      "Hobject machine a b\\n | 3 | the end of the line | \"b\"",
      "Hobject process a\\n | 3 | a process id | the end of the line",
      "Hobject process a 0\\n | 3 | a process id | \"0\"",
      "Hobject process a 99999999999\\n | 3 | a process id | \"99999999999\"",
      "Hobject application \\n | 3 | the name of an application | the end of the line",
      "Hclock utc\\n | 3 | realtime, monotonic or run after clock | \"utc\"",
      "Hclock run\\nclock run\\n | 4 | a single clock line | a second one; the first is in line 3",
      "Hmetric\\n | 3 | the name of a metric | the end of the line",
      "Hmetric a,b gauge\\n | 3 | the name of a metric without a comma | \"a,b\"",
      "Hmetric a\\n | 3 | gauge or counter after the metric's name | the end of the line",
      "Hmetric a level\\n | 3 | gauge or counter after the metric's name | \"level\"",
      "Hmetric a gauge m s\\n | 3 | the end of the line | \"s\"",
      "Hmetric a gauge\\nmetric a counter\\n | 4 | each metric of an object only once | \"a\" "
      + "again",
      "Dnow 1 2\\n | 6 | a time in seconds such as 1795308253.25 | \"now\"",
      "D1e9 1 2\\n | 6 | a time in seconds such as 1795308253.25 | \"1e9\"",
      "D. 1 2\\n | 6 | a time in seconds such as 1795308253.25 | \".\"",
      "D4000000000 1 2\\n | 6 | a time in seconds such as 1795308253.25 | \"4000000000\"",
      "D99999999999 1 2\\n | 6 | a time in seconds such as 1795308253.25 | \"99999999999\"",
      "D1.5 1 2\\n1.25 1 2\\n | 7 | a time from 1.5 on, because times must not decrease | 1.25",
      "D1\\n | 6 | 2 values (a b) | none",
      "D1 1\\n | 6 | 2 values (a b) | 1",
      "D1 1 2 3 4\\n | 6 | 2 values (a b) | more, from \"3\" on",
      "D1 x 2\\n | 6 | a number or - for a | \"x\"",
      "D1 0x10 2\\n | 6 | a number or - for a | \"0x10\"",
      "D1 1d 2\\n | 6 | a number or - for a | \"1d\"",
      "D1 nan 2\\n | 6 | a number or - for a | \"nan\"",
      "D1 1 1e\\n | 6 | a number or - for b | \"1e\"",
      "D1 1 --\\n | 6 | a number or - for b | \"--\"",
      "D1 1 1.2.3\\n | 6 | a number or - for b | \"1.2.3\"",
      "D1 1,5 2\\n | 6 | a number or - for a | \"1,5\"",
      "D1 1e999 2\\n | 6 | a number below 1e308 for a | \"1e999\"",
      "D1 1 12\\n2 1 -\\n3 1 11\\n | 8 | at least 12 for the counter b, which must not decrease | "
          + "\"11\""})
  void aBrokenLineIsNamedWithWhatWasExpected(String text, long line, String expected,
      String found) {
    String whole = text.replace("\\n", "\n").replaceFirst("^H", HEAD)
        .replaceFirst("^D", HEAD + "metric a gauge\nmetric b counter\ndata\n");
    SeriesException e = assertThrows(SeriesException.class, () -> read(whole));
    assertEquals("expected " + expected + ", found " + found, e.getMessage());
    assertEquals(line, e.line());
  }

  @Test
  void veryLongLinesAndStrangeBytesAreShownShortened() {
    SeriesException binary = assertThrows(SeriesException.class, () -> SeriesReader.read(
        new ByteArrayInputStream(new byte[3 << 20])));
    assertEquals("expected a line of at most 1 MiB, found a longer one", binary.getMessage());
    SeriesException odd = assertThrows(SeriesException.class,
        () -> read(HEAD + "m\u0007\u00e4" + "x".repeat(1000) + "\n"));
    assertEquals("expected object, clock, metric or data, found \"m?\u00e4" + "x".repeat(37)
        + "...\"", odd.getMessage());
  }

  @Test
  void aLineThatWasBeingWrittenIsLeftOutAndCounted() throws Exception {
    String whole = HEAD + "clock run\nmetric a gauge\ndata\n1 1.5\n2 2.5\n3 3.5\n";
    for (int cut = whole.indexOf("data\n") + 5; cut <= whole.length(); cut++) {
      SeriesReader.Content content = read(whole.substring(0, cut));
      assertEquals(whole.substring(0, cut).split("\n", -1).length - 6, content.timesNs().length);
      assertEquals(whole.charAt(cut - 1) != '\n', content.cut(), whole.substring(0, cut));
    }
    try (Trace trace = open(whole + "4 4.", "")) {
      assertEquals(1, trace.externalSeries().size(), "an empty file is one not yet begun");
      ExternalSeries series = trace.externalSeries().get(0);
      assertTrue(series.isCut());
      assertEquals(3, series.readings());
      List<Finding> findings = TraceSeries.check(trace);
      assertEquals(1, findings.size());
      assertEquals(Severity.INFO, findings.get(0).severity());
      assertEquals(List.of(), trace.warnings().stream()
          .filter(warning -> warning.contains("s0")).toList());
    }
  }

  @Test
  void aBrokenSeriesIsNoReasonNotToReadTheTrace() throws Exception {
    try (Trace trace = open(HEAD + "metric a gauge\ndata\n1 1\n", HEAD + "nonsense\n")) {
      assertEquals(List.of("s0"),
          trace.externalSeries().stream().map(ExternalSeries::name).toList());
      assertTrue(trace.warnings().contains("external data: s1.series: line 3: expected object, clock, "
          + "metric or data, found \"nonsense\"; the series is ignored. Correct or remove that "
          + "line, or "
          + "remove " + directory.resolve("run/s1.series")), trace.warnings().toString());
      assertEquals(List.of(Severity.ERROR, Severity.WARNING),
          TraceSeries.check(trace).stream().map(Finding::severity).toList());
    }
  }

  @Test
  void aSeriesThatKnowsNothingOfTheRunIsTold() throws Exception {
    try (Trace trace = open(HEAD + "metric a gauge\ndata\n1 1\n2 1\n",
        HEAD + "metric a gauge\ndata\n1 1\n", HEAD + "metric a gauge\ndata\n")) {
      List<String> facts = TraceSeries.check(trace).stream().map(Finding::fact).toList();
      assertEquals(3, facts.size());
      assertTrue(facts.get(0).startsWith("s0 of machine node1 has readings from -1699999999.000 s "
          + "to -1699999998.000 s after the start of the run, which lasted 10.000 s"), facts.get(0));
      assertTrue(facts.get(1).contains("a single reading"), facts.get(1));
      assertTrue(facts.get(2).contains("no reading"), facts.get(2));
    }
  }

  /** The double that is nearest, as the Java library finds it, and not a syntax that it takes besides. */
  @Test
  void numbersAreThoseOfTheLibrary() {
    Random random = new Random(7);
    for (int i = 0; i < 60_000; i++) {
      double value = switch (i % 5) {
        case 0 -> Double.longBitsToDouble(random.nextLong());
        case 1 -> random.nextInt(1_000_000) / 1000.0;
        case 2 -> random.nextLong();
        case 3 -> random.nextGaussian() * Math.pow(10, random.nextInt(60) - 30);
        default -> random.nextInt();
      };
      if (Double.isNaN(value) || Double.isInfinite(value)) {
        continue;
      }
      String text = switch (i % 4) {
        case 0 -> Double.toString(value);
        case 1 -> String.format(Locale.ROOT, "%.6f", value);
        case 2 -> String.format(Locale.ROOT, "%.3e", value);
        default -> new java.math.BigDecimal(value).toString();
      };
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      SeriesWords words = new SeriesWords(bytes, 0, bytes.length);
      assertTrue(words.next());
      assertEquals(Double.parseDouble(text), words.number(), () -> text);
    }
  }

  /** Whatever the bytes, it is a series or there is a message. */
  @Test
  void mutatedSeriesAreReadOrRefused() throws IOException {
    byte[] good = (HEAD + "object process node1 12\nclock run\nmetric a gauge m\nmetric b counter\n"
        + "data\n1.5 1 2\n2.25 -1.5e3 2\n# x\n3 - 17.25\n4 0 18\n").getBytes(StandardCharsets.UTF_8);
    Random random = new Random(11);
    int readable = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = good.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        int at = random.nextInt(bytes.length);
        bytes[at] = random.nextBoolean() ? (byte) random.nextInt(256)
            : good[random.nextInt(good.length)];
      }
      try {
        SeriesReader.Content content =
            SeriesReader.read(new ByteArrayInputStream(bytes, 0, random.nextInt(bytes.length + 1)));
        readable += content == null ? 0 : 1;
        for (int k = 1; content != null && k < content.timesNs().length; k++) {
          assertTrue(content.timesNs()[k] > content.timesNs()[k - 1]);
        }
      } catch (SeriesException e) {
        assertTrue(e.line() > 0 && e.line() < 20 && e.getMessage().startsWith("expected "),
            e.getMessage());
      }
    }
    assertTrue(readable > 400, readable + " were readable");
  }

  private static long cpuNs() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  @Test
  void aHundredThousandReadingsAreReadFast() throws Exception {
    int readings = 100_000;
    StringBuilder text = new StringBuilder(HEAD + "clock run\n");
    for (int metric = 0; metric < 25; metric++) {
      text.append("metric m").append(metric).append(metric % 2 == 0 ? " gauge\n" : " counter\n");
    }
    text.append("data\n");
    for (int i = 0; i < readings; i++) {
      text.append(i / 100).append('.').append(String.format("%02d", i % 100));
      for (int metric = 0; metric < 25; metric++) {
        text.append(' ').append(metric % 2 == 0 ? "12.25" : Long.toString(70_000_000L + 13L * i));
      }
      text.append('\n');
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
    double best = Double.MAX_VALUE;
    for (int round = 0; round < 3; round++) {
      long begin = cpuNs();
      SeriesReader.Content content = SeriesReader.read(new ByteArrayInputStream(bytes));
      best = Math.min(best, (cpuNs() - begin) / 1e9);
      assertEquals(readings, content.timesNs().length);
      assertEquals(1300, levelOf(content.metrics().get(0).get(1)), 1e-6);
    }
    System.out.printf(Locale.ROOT, "a series of %d readings of 25 metrics, %.1f MB: %.3f s%n",
        readings, bytes.length / 1e6, best);
    assertTrue(best < 3, best + " s");
  }
}
