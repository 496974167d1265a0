package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.export.ExportFormat;
import org.parallax.analysis.export.ExportFormats;
import org.parallax.cli.command.Console;
import org.parallax.trace.Contributions;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.TraceBuilder;
import org.xml.sax.InputSource;

/** Perfetto's protobuf, speedscope, callgrind, and formats of plug-ins. */
class ExportFormatsTest {
  @TempDir Path directory;

  private Path trace;

  @BeforeEach
  void writeTrace() {
    trace = ExportTest.write(directory, "main/finish/main");
  }

  private Path export(String format, Object... options) {
    Path file = directory.resolve("exported." + format);
    List<Object> line = new ArrayList<>(List.of("export", format, trace, "-o", file));
    line.addAll(List.of(options));
    Run run = Run.of(line.toArray());
    assertEquals(0, run.status(), run::err);
    assertEquals("", run.out());
    return file;
  }

  /** The fields of a message by their numbers: Long for numbers, byte arrays for others. */
  private static Map<Integer, List<Object>> fields(byte[] message) {
    ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    Map<Integer, List<Object>> fields = new TreeMap<>();
    while (in.hasRemaining()) {
      long key = varint(in);
      Object value;
      switch ((int) key & 7) {
        case 0 -> value = varint(in);
        case 1 -> value = in.getLong();
        case 2 -> {
          byte[] bytes = new byte[(int) varint(in)];
          in.get(bytes);
          value = bytes;
        }
        default -> throw new AssertionError("wire type of " + key);
      }
      fields.computeIfAbsent((int) (key >>> 3), unknown -> new ArrayList<>()).add(value);
    }
    return fields;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0;; shift += 7) {
      byte part = in.get();
      value |= (long) (part & 0x7F) << shift;
      if (part >= 0) {
        return value;
      }
    }
  }

  private static Map<Integer, List<Object>> inner(Map<Integer, List<Object>> fields, int field) {
    return fields.containsKey(field) ? fields((byte[]) fields.get(field).get(0)) : Map.of();
  }

  private static String text(Map<Integer, List<Object>> fields, int field) {
    return new String((byte[]) fields.get(field).get(0), StandardCharsets.UTF_8);
  }

  private static long number(Map<Integer, List<Object>> fields, int field) {
    return (Long) fields.get(field).get(0);
  }

  @Test
  void perfettoHasTracksSlicesAndFlows() throws IOException {
    Map<Long, String> tracks = new HashMap<>();
    Map<Long, String> names = new HashMap<>();
    Map<Long, Deque<String>> open = new HashMap<>();
    List<String> events = new ArrayList<>();
    for (Object each : fields(Files.readAllBytes(export("perfetto"))).get(1)) {
      Map<Integer, List<Object>> packet = fields((byte[]) each);
      assertEquals(1, number(packet, 10));  // the sequence
      Map<Integer, List<Object>> track = inner(packet, 60);
      if (!track.isEmpty()) {
        Map<Integer, List<Object>> process = inner(track, 3);
        tracks.put(number(track, 1), process.isEmpty()
            ? tracks.get(number(track, 5)) + " " + text(inner(track, 4), 5) : text(process, 6));
        continue;
      }
      Map<Integer, List<Object>> name = inner(inner(packet, 12), 2);
      if (!name.isEmpty()) {
        names.put(number(name, 1), text(name, 2));
      }
      Map<Integer, List<Object>> event = inner(packet, 11);
      long onTrack = number(event, 11);
      Deque<String> stack = open.computeIfAbsent(onTrack, unknown -> new ArrayDeque<>());
      String what = switch ((int) number(event, 9)) {
        case 1 -> {
          stack.push(names.get(number(event, 10)));
          yield "begin " + stack.peek();
        }
        case 2 -> "end " + stack.pop();
        default -> text(event, 23) + (event.containsKey(47) ? " from " : " to ")
            + event.getOrDefault(47, event.get(48)).get(0);
      };
      events.add(tracks.get(onTrack) + " " + number(packet, 8) + " " + what);
    }
    assertTrue(open.values().stream().allMatch(Deque::isEmpty), open::toString);
    assertEquals(List.of("node1: ring[0]", "node1: ring[0] main", "node1: ring[1]", "node1: ring[1] main"),
        tracks.values().stream().sorted().toList());
    assertEquals(List.of("node1: ring[0] main 0 begin main", "node1: ring[0] main 0 begin a<int>",
        "node1: ring[0] main 1000000 end a<int>", "node1: ring[0] main 4000000 begin MPI_Send",
        "node1: ring[0] main 4100000 end MPI_Send", "node1: ring[0] main 5000000 end main"), events.subList(0, 6));
    assertTrue(events.contains("node1: ring[0] main 4000000 Msg from 1"), events::toString);
    assertTrue(events.contains("node1: ring[1] main 4200000 Msg to 1"), events::toString);
  }

  @Test
  void speedscopeHasAProfileForEachThread() throws IOException {
    Map<?, ?> file = Json.object(Files.readString(export("speedscope")));
    List<String> frames = ((List<?>) ((Map<?, ?>) file.get("shared")).get("frames")).stream()
        .map(frame -> ((Map<?, ?>) frame).get("name").toString()).toList();
    List<?> profiles = (List<?>) file.get("profiles");
    assertEquals(2, profiles.size());
    Map<String, Long> self = new TreeMap<>();
    for (Object each : profiles) {
      Map<?, ?> profile = (Map<?, ?>) each;
      assertEquals("evented", profile.get("type"));
      assertEquals("nanoseconds", profile.get("unit"));
      Deque<String> stack = new ArrayDeque<>();
      long last = ((Number) profile.get("startValue")).longValue();
      for (Object step : (List<?>) profile.get("events")) {
        Map<?, ?> event = (Map<?, ?>) step;
        long at = ((Number) event.get("at")).longValue();
        if (!stack.isEmpty()) {
          self.merge(stack.peek(), at - last, Long::sum);
        }
        last = at;
        String frame = frames.get(((Number) event.get("frame")).intValue());
        if (event.get("type").equals("O")) {
          stack.push(frame);
        } else {
          assertEquals(frame, stack.pop());
        }
      }
      assertTrue(stack.isEmpty());
      assertEquals(((Number) profile.get("endValue")).longValue(), last);
    }
    // As the collapsed stacks have it.
    Map<String, Long> expected = new TreeMap<>();
    Run.of("export", "collapsed", trace).out().lines().forEach(line -> {
      String[] words = line.replaceFirst("^.*;", "").split(" ");
      expected.merge(words[0], Long.parseLong(words[1]), Long::sum);
    });
    self.values().removeIf(ns -> ns == 0);
    assertEquals(expected, self);
  }

  /** The totals that the file says, and those that its procedures add up to. */
  private static long[][] sums(String text) {
    long[] totals = null;
    long[] sums = new long[2];
    boolean isCall = false;
    for (String line : text.split("\n")) {
      if (line.startsWith("totals: ")) {
        String[] words = line.split(" ");
        totals = new long[] {Long.parseLong(words[1]), Long.parseLong(words[2])};
      } else if (line.matches("\\d+ \\d+ \\d+") && !isCall) {
        sums[0] += Long.parseLong(line.split(" ")[1]);
        sums[1] += Long.parseLong(line.split(" ")[2]);
      }
      isCall = line.startsWith("calls=");
    }
    return new long[][] {totals, sums};
  }

  @Test
  void callgrindAddsUpToTheTimeOfTheThreads() throws Exception {
    Path file = export("callgrind");
    String text = Files.readString(file);
    long[][] sums = sums(text);
    assertArrayEquals(sums[0], sums[1]);
    long expected = Run.of("export", "collapsed", trace).out().lines()
        .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1))).sum();
    assertEquals(expected, sums[0][0]);
    // main calls finish, which calls main: each pair has its time once.
    assertTrue(text.contains("\n300 0 0\ncob=/opt/ring\ncfi=(1)\ncfn=(1)\ncalls=1 100\n300 1900000 1900000\n"), text);
    assumeTrue(Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(each -> Files.isExecutable(Path.of(each, "callgrind_annotate"))), "valgrind is not installed");
    Process annotate = new ProcessBuilder("callgrind_annotate", "--threshold=100", "--auto=no", file.toString())
        .redirectErrorStream(true).start();
    String printed = new String(annotate.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, annotate.waitFor(), printed);
    assertTrue(printed.matches("(?s).*\n *" + grouped(expected) + " .*PROGRAM TOTALS.*"), printed);
    // Without the times of what they call.
    long self = printed.lines().filter(line -> line.contains(" [") && line.matches(" *[\\d,]+ .*:.*"))
        .mapToLong(line -> Long.parseLong(line.strip().split(" ")[0].replace(",", ""))).sum();
    assertEquals(expected, self, printed);
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  @Test
  void aPhaseLimitsTheTime() throws IOException {
    long[][] sums = sums(Files.readString(export("callgrind", "--phase", "1ms..2ms", "--node", "node1/ring[1]")));
    assertEquals(1_000_000, sums[0][0]);
  }

  @Test
  void withoutAFileTheOutputIsStandardOutput() throws IOException {
    assertEquals(Files.readString(export("callgrind")), Run.of("export", trace, "--format", "callgrind").out());
  }

  private static class Words implements ExportFormat {
    @Override
    public String id() {
      return "words";
    }

    @Override
    public String summary() {
      return "words";
    }

    @Override
    public String suffix() {
      return ".txt";
    }

    @Override
    public List<String> write(Part part, Path target, Progress progress) throws IOException {
      Files.writeString(target, part.analysis().name());
      if (part.node() != null) {
        throw new IOException("No space left on device");
      }
      return List.of("there are no numbers");
    }
  }

  @Test
  void aPlugInAddsAFormatAndHalfAFileIsNotLeft() throws IOException {
    ExportFormats.install(new Contributions<>(List.of(new Words()), List.of("the class X is ignored")));
    try {
      Path file = directory.resolve("words");
      Files.writeString(file, "before");
      Run failed = Run.of("export", "words", trace, "--node", "node1/ring[1]", "-o", file);
      assertEquals(1, failed.status());
      assertTrue(failed.err().contains("cannot be written: No space left on device"), failed.err());
      assertEquals("before", Files.readString(file));
      Run run = Run.of("export", "words", trace, "-o", file);
      assertEquals(0, run.status(), run.err());
      assertEquals("ring", Files.readString(file));
      assertTrue(run.err().contains("there are no numbers") && run.err().contains("the class X is ignored"), run.err());
      assertTrue(Run.of("export", "--help").out().contains("  words          words"));
    } finally {
      ExportFormats.install(Contributions.none());
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertTrue(files.noneMatch(each -> each.getFileName().toString().startsWith(".parallax-export")));
    }
  }

  /** The old contents stay as long as the new ones are not complete: what has them open still has them. */
  @Test
  void aFileIsReplacedWhenItIsComplete() throws IOException {
    for (String format : List.of("chrome", "collapsed", "flamegraph", "perfetto")) {
      Path file = Files.writeString(directory.resolve(format), "before");
      Path old = Files.createLink(directory.resolve(format + ".old"), file);
      Run run = Run.of("export", format, trace, "-o", file);
      assertEquals(0, run.status(), run.err());
      assertEquals("before", Files.readString(old), format);
      assertTrue(Files.size(file) > "before".length(), format);
    }
  }

  @Test
  void aLinkStaysAndAPipeGetsTheContents() throws Exception {
    String expected = Files.readString(export("callgrind"));
    Path file = Files.writeString(directory.resolve("file"), "before");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    assertEquals(0, Run.of("export", "callgrind", trace, "-o", link).status());
    assertTrue(Files.isSymbolicLink(link));
    assertEquals(expected, Files.readString(file));
    Path pipe = directory.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Process reader = new ProcessBuilder("timeout", "60", "cat", pipe.toString()).start();
    try {
      assertEquals(0, Run.of("export", "callgrind", trace, "-o", pipe).status());
      assertTrue(!Files.isRegularFile(pipe));
      assertEquals(expected, new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    } finally {
      reader.destroy();
    }
  }

  /** A program that exports until it is ended. */
  static final class Endless {
    private Endless() {}

    public static void main(String[] arguments) {
      ExportFormats.install(new Contributions<>(List.of(new Words() {
        @Override
        public List<String> write(Part part, Path target, Progress progress) throws IOException {
          Files.writeString(target, "half");
          System.out.println("started");
          try {
            Thread.sleep(TimeUnit.HOURS.toMillis(1));
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          return List.of();
        }
      }), List.of()));
      new Main(new Console(System.out, System.err, false)).run(List.of("export", "words", arguments[0], "-o", arguments[1]));
    }
  }

  @Test
  void endingTheProgramLeavesNothing() throws Exception {
    Path place = Files.createDirectory(directory.resolve("place"));
    Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
        System.getProperty("java.class.path"), Endless.class.getName(), trace.toString(), place.resolve("x").toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var output = process.inputReader()) {
      assertEquals("started", output.readLine());
      process.destroy();  // SIGTERM, which runs the same hooks as Ctrl-C
      assertTrue(process.waitFor(20, TimeUnit.SECONDS));
    } finally {
      process.destroyForcibly();
    }
    try (Stream<Path> files = Files.list(place)) {
      assertEquals(List.of(), files.toList());
    }
  }

  @Test
  void namesMayHaveControlCharacters() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("odd"));
    builder.mpiJob("node1", "/opt/o\u0001\nd;d", 1);
    builder.process(0).thread(0).threadBegin(0, -1).sample(1_000_000, "main");
    Path odd = builder.write();
    assertEquals("node1:o\u0001 d:d[0];o\u0001 d:d+0x1020 1000000\n",
        Run.of("export", "collapsed", odd, "--level", "process").out());
    String svg = Run.of("export", "flamegraph", odd, "--level", "process").out();
    assertTrue(svg.contains("o\uFFFD\uFFFDd;d[0]"), svg);
    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
  }

  @Test
  void anArchiveTakesOnlyOneOfASessionsTraces() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("run2"));
    builder.mpiJob("node1", "/opt/other", 1);
    builder.process(0).thread(0).threadBegin(0, -1).sample(1_000_000, "main");
    Path session = directory.resolve("two.parallax");
    assertEquals(0, Run.of("session", session, "--replay", trace, "--replay", builder.write()).status());
    Run run = Run.of("export", "otf2", session, "-o", directory.resolve("archive"));
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains("the format otf2 takes one run"), run.err());
  }

  @Test
  void badInputIsAnswered() {
    assertTrue(Run.of("export", "perfeto", trace).err().contains("did you mean perfetto?"));
    Run option = Run.of("export", "speedscope", trace, "--weight", "cpu");
    assertEquals(2, option.status());
    assertTrue(option.err().contains("the format speedscope has no option --weight"), option.err());
    Run none = Run.of("export", "perfetto", trace, "-o", directory.resolve("no/file"));
    assertEquals(1, none.status());
    assertTrue(none.err().contains("cannot be written: there is no directory"), none.err());
    Run exists = Run.of("export", "perfetto", trace, "-o", directory);
    assertEquals(1, exists.status());
    assertTrue(exists.err().contains("exists already"), exists.err());
  }
}
