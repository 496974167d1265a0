package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.testing.TraceBuilder;

/** External data on the command line: into a trace, and out of it in reports and exports. */
class ExternalDataCommandTest {
  private static final String SENSORS = "parallax-series 1\nclock run\nobject machine node1\n"
      + "metric power gauge W\nmetric disk-read counter bytes\ndata\n"
      + "0 100 0\n0.002 200 4096\n0.004 - 4096\n0.008 0 8192\n";

  @TempDir Path directory;

  private Path trace;
  private Path sensors;

  /** A process on node1, 8 ms long. */
  @BeforeEach
  void write() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("run1"));
    builder.process("node1", "/opt/heat").exit(8_000_000, 0).thread(0).threadBegin(0, -1)
        .sample(4_000_000, "main").threadEnd(8_000_000);
    trace = builder.write();
    sensors = Files.writeString(directory.resolve("sensors.series"), SENSORS);
  }

  private static void assertFails(Run run, int status, String... parts) {
    assertEquals(status, run.status(), run::err);
    assertEquals("", run.out());
    for (String part : parts) {
      assertTrue(run.err().contains(part), () -> part + " is not in: " + run.err());
    }
  }

  private List<String> files() throws Exception {
    try (var files = Files.list(trace)) {
      return files.map(file -> file.getFileName().toString())
          .filter(name -> name.contains("series")).sorted().toList();
    }
  }

  @Test
  void importedFromAFileAndFromAPipe() throws Exception {
    Run run = Run.of("import", trace, sensors);
    assertEquals("", run.err());
    assertEquals(0, run.status());
    assertEquals("sensors of machine node1: power [W], disk-read [bytes]; 4 readings in 0.008 s\n",
        run.out());
    assertEquals(SENSORS, Files.readString(trace.resolve("sensors.series")));
    assertFails(Run.of("import", trace, sensors), 1, "the trace already has a series sensors",
        "--name", "--replace");
    assertEquals(0, Run.of("import", "--replace", trace, sensors).status());

    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream((SENSORS + "1 1").getBytes(StandardCharsets.UTF_8)));
      Run piped = Run.of("import", "--name", "piped", trace, "-");
      assertTrue(piped.out().contains("1 incomplete line ignored"), piped.toString());
    } finally {
      System.setIn(before);
    }
    assertEquals(List.of("piped.series", "sensors.series"), files());
  }

  @Test
  void whatIsWrongIsRefusedWithItsLine() throws Exception {
    Path bad = Files.writeString(directory.resolve("bad"), SENSORS.replace("200", "2OO"));
    assertFails(Run.of("import", trace, bad), 1, "parallax: " + bad
        + ":8: expected a number or - for power, found \"2OO\"; correct the line and import it "
        + "again: parallax import " + trace + " " + bad);
    assertEquals(List.of(), files());
    assertFails(Run.of("import", trace, directory.resolve("none")), 1, "there is no file");
    assertFails(Run.of("import", trace, directory), 1, "is a directory");
    Path empty = Files.writeString(directory.resolve("empty"), "");
    assertFails(Run.of("import", trace, empty), 1, "is empty");
    assertFails(Run.of("import", directory.resolve("run2"), sensors), 1, "Did you mean " + trace);
    assertFails(Run.of("import", trace), 2, "the file of a series is missing");
    assertFails(Run.of("import"), 2, "the trace's directory is missing");
    assertFails(Run.of("import", trace, "-", "-"), 2, "can be read only once");
    assertFails(Run.of("import", "--name", "a/b", trace, sensors), 2, "cannot be the name");
    assertFails(Run.of("import", "--name", "x", trace, sensors, bad), 2,
        "--name can name only one");
    Path same = Files.createDirectories(directory.resolve("x")).resolve("sensors.series");
    Files.writeString(same, SENSORS);
    assertFails(Run.of("import", trace, sensors, same), 1, "two series would be written to");
    assertEquals(List.of(), files());
  }

  @Test
  void whatWillNotBeSeenIsToldAtOnce() throws Exception {
    Path far = Files.writeString(directory.resolve("far"), SENSORS.replace("clock run\n", ""));
    Run run = Run.of("import", trace, far);
    assertEquals(0, run.status());
    assertTrue(run.err().contains("far of machine node1 has readings from -1700000000.000 s to "
        + "-1699999999.992 s after the start of the run"), run.err());
    Path other = Files.writeString(directory.resolve("other"), SENSORS.replace("node1", "node7"));
    assertTrue(Run.of("import", trace, other).err().contains("other of machine node7 belongs to no "
        + "machine, process or application of the trace"));
    Run report = Run.of("report", "profile", trace);
    assertEquals(0, report.status());
    assertTrue(report.err().contains("node7") && report.err().contains("check its clock line"),
        report.err());
  }

  @Test
  void infoAndCheck() throws Exception {
    Run.of("import", trace, sensors);
    assertTrue(Run.of("info", trace).out().endsWith("\nexternal data sensors of machine node1: "
        + "power [W], disk-read [bytes]; 4 readings in 0.008 s\n"));
    Map<?, ?> info = Json.object(Run.of("info", "--format", "json", trace).out());
    Map<?, ?> series = (Map<?, ?>) ((List<?>) info.get("external")).get(0);
    assertEquals("sensors", series.get("name"));
    assertEquals("machine", series.get("kind"));
    assertEquals("node1", series.get("of"));
    assertEquals(4, ((Number) series.get("readings")).intValue());
    assertEquals(8_000_000L, ((Number) series.get("endNs")).longValue());
    assertEquals("{name=disk-read, unit=bytes, kind=counter}",
        ((List<?>) series.get("metrics")).get(1).toString());
    assertTrue(Run.of("check", trace).out().contains(": sound ("));

    Files.writeString(trace.resolve("bad.series"), SENSORS + "0.009\n");
    Files.writeString(trace.resolve("cut.series"), SENSORS + "0.009 1");
    Run check = Run.of("check", trace);
    assertEquals(1, check.status());
    assertTrue(check.out().contains("error: bad.series: line 11: expected 2 values (power "
        + "disk-read), found none\n"), check.out());
    assertTrue(check.out().contains("info: cut.series: the last line is not complete\n"),
        check.out());
    Run report = Run.of("report", "histogram", "--metric", "external:power", trace);
    assertEquals(0, report.status());
    assertTrue(report.err().contains("external data: bad.series: line 11: expected 2 values"),
        report.err());
  }

  @Test
  void histogramsNameTheMachine() throws Exception {
    Run.of("import", trace, sensors);
    Run csv = Run.of("report", "histogram", trace, "--metric", "external:power,external:disk-read,"
        + "cpu", "--bins", "4", "--format", "csv");
    assertEquals("name,from,to,cpu heat,external:power node1,external:disk-read node1\r\n"
        + "0,0,2000000,2000000,100.0,2048000.0\r\n1,2000000,4000000,2000000,200.0,0.0\r\n"
        + "2,4000000,6000000,2000000,,1024000.0\r\n3,6000000,8000000,2000000,,1024000.0\r\n",
        csv.out());
    assertEquals("", csv.err());
    Run json = Run.of("report", "histogram", trace, "--metric", "external:power", "--bins", "2",
        "--phase", "3ms..7ms", "--node", "node1/sensors", "--format", "json");
    List<?> rows = (List<?>) Json.object(json.out()).get("rows");
    assertTrue(rows.get(0).toString().contains("to=5000000, external:power node1=200"),
        rows.toString());
    assertTrue(rows.get(1).toString().endsWith("external:power node1=null}"), rows.toString());
    Run text = Run.of("report", "histogram", trace, "--metric", "external:power,external:disk-read",
        "--bins", "8");
    assertEquals("""
        power [W], disk-read [bytes/s] over time (heat)

        power [W], node1, at most 200.000
             200.000 |  ##
                     |  ##
                     |  ##
                     |  ##
                     |####
                     |####
                     |####
                     |####
        disk-read [bytes/s], node1, at most 2.048e+06
           2.048e+06 |##
                     |##
                     |##
                     |##
                     |##  ####
                     |##  ####
                     |##  ####
                     |##  ####
                     +--------
                      0 ns 8.000 ms

        8 bins of 1.000 ms
        """, text.out());
    Run near = Run.of("report", "histogram", trace, "--metric", "external:powr");
    assertTrue(near.err().contains("did you mean external:power?"), near.err());
    Run without = Run.of("report", "histogram", trace, "--metric", "power");
    assertTrue(without.err().contains("did you mean external:power?"), without.err());
    Run metrics = Run.of("report", "metrics", trace, "--level", "machine");
    assertTrue(metrics.out().replaceAll(" +", " ")
        .endsWith("\nexternal:power [W] 150.00\nexternal:disk-read 8.0 KiB\n"), metrics.out());
  }

  @Test
  void timelinesHaveCounters() throws Exception {
    Run.of("import", trace, sensors);
    List<String> counters = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Object each : (List<?>) Json.object(Run.of("export", "chrome", trace).out())
        .get("traceEvents")) {
      Map<?, ?> event = (Map<?, ?>) each;
      if (event.get("ph").equals("C")) {
        counters.add(event.get("pid") + " " + event.get("name") + " "
            + ((Number) event.get("ts")).longValue() + " " + event.get("args"));
      } else if (event.get("name").equals("process_name")) {
        names.add(event.get("pid") + " " + event.get("args"));
      }
    }
    assertEquals(2, names.size());
    assertTrue(names.get(1).contains("node1: sensors"), names.toString());
    assertEquals(List.of("0", "2000", "0", "2000", "4000"),
        counters.stream().map(counter -> counter.replaceAll(".*\\] |.*/s\\] ", "").split(" ")[0])
            .toList(), counters.toString());
    assertTrue(counters.get(2).contains("disk-read [bytes/s] 0 {value=2048000"),
        counters.toString());
    assertTrue(counters.get(0).contains("power [W] 0 {value=100"), counters.toString());
  }

  @Test
  void whereThereWasNoMonitorADifferenceIsNotKnown() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("run2"));
    builder.process("node1", "/opt/heat").exit(8_000_000, 0).thread(0).threadBegin(0, -1)
        .sample(4_000_000, "main").threadEnd(8_000_000);
    Path other = builder.write();
    Run.of("import", other, sensors);
    Run run = Run.of("compare", "metrics", "--level", "machine", "--format", "json",
        trace, other);
    assertEquals(0, run.status(), run::err);
    Map<?, ?> power = ((List<?>) Json.object(run.out()).get("rows")).stream()
        .map(row -> (Map<?, ?>) row)
        .filter(row -> row.get("name").equals("external:disk-read")).findFirst().orElseThrow();
    assertEquals(8192, ((Number) power.get("value.new")).intValue());
    assertEquals(null, power.get("value.base"));
    assertEquals(null, power.get("value.difference"));
    Run.of("import", trace, sensors);
    Run histogram = Run.of("compare", "histogram", "--metric", "external:power",
        "--bins", "4", "--format", "csv", trace, other);
    assertEquals(0, histogram.status(), histogram::err);
  }

  @Test
  void sessionsBringTheSeriesOfTheirTraces() throws Exception {
    Run.of("import", trace, sensors);
    Path session = directory.resolve("all.parallax");
    assertEquals(0, Run.of("session", session, "--replay", trace).status());
    Run run = Run.of("report", "histogram", session, "--metric", "external:power", "--bins", "4",
        "--format", "csv");
    assertEquals(0, run.status(), run::err);
    assertTrue(run.out().contains("0,0,2000000,100.0\r\n"), run.out());
    assertFalse(Files.readString(session).contains("external"));
  }
}
