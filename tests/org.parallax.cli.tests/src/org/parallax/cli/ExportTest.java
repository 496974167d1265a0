package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.w3c.dom.Document;

/** What other tools are given. */
class ExportTest {
  @TempDir Path directory;

  private Path trace;

  @BeforeEach
  void writeTrace() {
    trace = write(directory, "main/finish");
  }

  /** A late sender of 3.9 ms. The last sample of the receiver is on a path. */
  static Path write(Path directory, String last) {
    TraceBuilder builder = new TraceBuilder(directory.resolve("run1"));
    builder.mpiJob("node1", "/opt/ring", 2);
    builder.process(0).thread(0).threadBegin(0, -1).sample(1_000_000, "main/a<int>")
        .send(4_000_000, 4_100_000, "main/MPI_Send", 1, 1, 7, 4096).sample(5_000_000, "main");
    builder.process(1).thread(0).threadBegin(0, -1)
        .receive(100_000, 4_200_000, "main/MPI_Recv", 1, 0, 7, 4096)
        .sample(6_000_000, last);
    return builder.write();
  }

  @Test
  void collapsedStacksHaveTheTimeOfAllPaths() {
    assertEquals("main 3900000\nmain;MPI_Recv 4100000\nmain;MPI_Send 100000\nmain;a<int> 1000000\n"
        + "main;finish 1900000\n", Run.of("export", "collapsed", trace).out());
    assertEquals("node1:ring[1];main;MPI_Recv 1000000\n", Run.of("export", "collapsed", trace,
        "--level", "process", "--node", "node1/ring[1]", "--phase", "1ms..2ms").out());
  }

  @Test
  void flameGraphsOfThePathAndOfWaitsHaveBothSides() throws Exception {
    assertEquals("main;MPI_Recv;-- late sender;a<int>;main 900000\n"
        + "main;MPI_Recv;-- late sender;main 3000000\n",
        Run.of("export", "collapsed", "--of", "waits", trace).out());
    List<String> waits = titles("waits");
    assertEquals("all: 3.900 ms, 100.00 %", waits.get(0));
    assertTrue(waits.contains("-- late sender: 3.900 ms, 100.00 %"), waits.toString());
    List<String> path = titles("critical-path");
    assertTrue(path.contains("-- Msg: 200.000 us, 3.33 %"), path.toString());
    assertTrue(Run.of("export", "flamegraph", "--of", "waits", "--weight", "cpu", trace).err()
        .contains("waits have no option --weight"));
    assertTrue(Run.of("export", "chrome", "--of", "waits", trace).err()
        .contains("the format chrome has no options --of"));
    assertTrue(Run.of("export", "flamegraph", "--of", "wait", trace).err().contains("waits"));
  }

  @Test
  void pathsThroughSeveralApplicationsAreCompared() {
    String[] alone = {"export", "collapsed", "--of", "critical-path", "--scope", "inter", trace.toString()};
    assertFalse(Run.of((Object[]) alone).out().isEmpty());
    Run compared = Run.of("export", "collapsed", "--of", "critical-path", "--scope", "inter", "--base", trace,
        trace);
    assertEquals(0, compared.status(), compared.err());
    Run.of((Object[]) alone).out().lines().forEach(line -> {
      String ns = line.substring(line.lastIndexOf(' '));
      assertTrue(compared.out().contains(line + ns + "\n"), compared.out());
    });
  }

  private List<String> titles(String subject) throws Exception {
    Path file = directory.resolve(subject + ".svg");
    assertEquals(0, Run.of("export", "flamegraph", "--of", subject, trace, "-o", file).status());
    Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder()
        .parse(new ByteArrayInputStream(Files.readString(file).getBytes(StandardCharsets.UTF_8)));
    List<String> titles = new ArrayList<>();
    for (int i = 0; i < svg.getElementsByTagName("title").getLength(); i++) {
      titles.add(svg.getElementsByTagName("title").item(i).getTextContent());
    }
    return titles;
  }

  @Test
  void aFlameGraphIsADocumentByItself() throws Exception {
    List<String> titles = titles("time");
    Path file = directory.resolve("time.svg");
    assertEquals(List.of("all: 11.000 ms, 100.00 %", "main: 11.000 ms, 100.00 %",
        "MPI_Recv: 4.100 ms, 37.27 %", "MPI_Send: 100.000 us, 0.91 %",
        "a<int>: 1.000 ms, 9.09 %", "finish: 1.900 ms, 17.27 %"), titles);
  }

  @Test
  void pathsOfDeepRecursionAreThere() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("deep"));
    builder.process("node1", "/opt/deep").thread(0).threadBegin(0, -1)
        .sample(1_000_000, "main" + "/f".repeat(2_000)).sample(2_000_000, "main");
    Path deep = builder.write();
    assertEquals(2_001, Run.of("report", "calltree", deep, "--format", "csv").out().lines()
        .filter(line -> line.startsWith("f,") || line.startsWith("main,")).count());
    assertTrue(Run.of("compare", "calltree", deep, deep).out().contains("main"));
    assertTrue(Run.of("export", "flamegraph", deep).out().endsWith("</svg>\n"));
  }

  @Test
  @SuppressWarnings("unchecked")
  void aTimelineHasSlicesWithinSlicesAndFlows() {
    Map<String, Object> document = Json.object(Run.of("export", "chrome", trace).out());
    List<String> slices = new ArrayList<>();
    Set<Object> begun = new HashSet<>();
    Set<Object> ended = new HashSet<>();
    for (Object each : (List<Object>) document.get("traceEvents")) {
      Map<String, Object> event = (Map<String, Object>) each;
      switch ((String) event.get("ph")) {
        case "X" -> slices.add(event.get("pid") + " " + event.get("name") + " "
            + micros(event.get("ts")) + "+" + micros(event.get("dur")));
        case "s" -> begun.add(event.get("id") + " " + event.get("name"));
        case "f" -> ended.add(event.get("id") + " " + event.get("name"));
        default -> assertTrue(event.get("name").toString().endsWith("_name"));
      }
    }
    assertEquals(List.of("1 a<int> 0+1000", "1 MPI_Send 4000+100", "1 main 0+5000",
        "2 MPI_Recv 100+4100", "2 finish 4200+1800", "2 main 0+6000"), slices.stream()
            .filter(slice -> !slice.equals("2 finish 0+100")).toList());
    assertEquals(Set.of("1 Msg"), begun);
    assertEquals(begun, ended);
  }

  @Test
  void aTimelineOfAPhaseHasItsGaps() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("phases"));
    TracedProcess process = builder.process("node1", "/opt/turns");
    int even = process.phase("even");
    process.thread(0).threadBegin(0, -1).event(1_000, Kind.PHASE_BEGIN, even)
        .event(3_000, Kind.PHASE_END, even).sample(4_000, "main/a")
        .event(6_000, Kind.PHASE_BEGIN, even).event(8_000, Kind.PHASE_END, even)
        .sample(9_000, "main/a");
    builder.write();
    assertEquals("1 a 1+2, 1 main 1+2, 1 a 6+2, 1 main 6+2", slices("phases", "--phase", "even"));
    assertEquals("1 a 1+2, 1 main 1+2", slices("phases", "--phase", "even[1]"));
    assertEquals("1 a 0+9, 1 main 0+9", slices("phases"));
  }

  /** The shorter of two runs gets the clock of the longer one, with which it begins before 0. */
  @Test
  void aTimelineHasNothingBeforeZero() {
    for (boolean isLong : new boolean[] {false, true}) {
      TraceBuilder builder = new TraceBuilder(directory.resolve(isLong ? "long" : "short")).sampleHz(10);
      TracedProcess process = builder.process("node1", isLong ? "/opt/long" : "/opt/short");
      process.realtimeShift(isLong ? -1_700_300 : 0).start(isLong ? 2_000_000 : 0);
      process.thread(0).threadBegin(isLong ? 2_000_000 : 0, -1)
          .sample(isLong ? 90_000_000 : 30_000_000, "main");
      builder.write();
    }
    String timeline = Run.of("export", "chrome", "--scope", "global", directory.resolve("short"),
        directory.resolve("long")).out();
    assertTrue(timeline.contains("\"dur\": 30000.000, \"name\": \"main\", \"pid\": 1, \"tid\": 0, "
        + "\"ts\": 0.000}"), timeline);
    assertTrue(timeline.contains("\"ts\": 2000.000}"), timeline);
  }

  /** The slices of a trace in microseconds, as {@code pid name begin+duration}. */
  private String slices(Object name, Object... options) {
    List<Object> line = new ArrayList<>(List.of("export", "chrome", directory.resolve((String) name)));
    line.addAll(List.of(options));
    List<String> slices = new ArrayList<>();
    for (Object each : (List<?>) Json.object(Run.of(line.toArray()).out()).get("traceEvents")) {
      Map<?, ?> event = (Map<?, ?>) each;
      if (event.get("ph").equals("X")) {
        slices.add(event.get("pid") + " " + event.get("name") + " " + micros(event.get("ts")) + "+"
            + micros(event.get("dur")));
      }
    }
    return String.join(", ", slices);
  }

  private static long micros(Object number) {
    return new BigDecimal(number.toString()).longValueExact();
  }

  @Test
  void badInputIsAnswered() {
    assertTrue(Run.of("export").err().contains("choose from: collapsed, flamegraph, chrome, "));
    assertTrue(Run.of("export", "flame", trace).err().contains("did you mean flamegraph?"));
    Run none = Run.of("export", "chrome", trace, "-o", directory.resolve("no/file"));
    assertEquals(1, none.status());
    assertTrue(none.err().contains("cannot be written"), none.err());
    assertEquals(2, Run.of("export", "chrome", trace, "--weight", "cpu").status());
  }
}
