package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.cli.report.ReportOptions;
import org.parallax.trace.testing.TraceBuilder;

/** Command lines, what they print and their exit status. */
class MainTest {
  @TempDir
  Path directory;

  private Path trace;

  @BeforeEach
  void writeTrace() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("run1"));
    builder.mpiJob("node1", "/opt/ring", 2);
    builder.process(0).thread(0).sample(1_000_000, "main/compute")
        .send(4_000_000, 4_100_000, "main/exchange/MPI_Send", 1, 1, 7, 4096)
        .sample(5_000_000, "main");
    builder.process(1).thread(0)
        .receive(100_000, 4_200_000, "main/exchange/MPI_Recv", 1, 0, 7, 4096)
        .sample(6_000_000, "main/finish");
    builder.process(1).exit(6_000_000, 3);
    trace = builder.endThreads().write();
  }

  private static void assertContains(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "\"" + part + "\" is not in: " + text);
    }
  }

  private static void assertFails(int status, Run run, String... parts) {
    assertEquals(status, run.status(), run::err);
    assertEquals("", run.out());
    assertTrue(run.err().startsWith("parallax: "), run::err);
    assertFalse(run.err().contains("\tat "), run::err);
    assertContains(run.err(), parts);
  }

  @Test
  void wrongUseIsAnsweredWithWhatIsNear() {
    assertFails(2, Run.of(), "a command is missing", "parallax --help");
    assertFails(2, Run.of("reprot"), "unknown command reprot; did you mean report?");
    assertFails(2, Run.of("xyzzy"), "choose from: info, check, report, compare, export, import");
    assertFails(2, Run.of("--versoin"), "unknown option --versoin");
    assertFails(2, Run.of("report"), "choose from: metrics, profile, critical-path");
    assertFails(2, Run.of("report", "critcal-path", trace), "did you mean critical-path?",
        "see: parallax report --help");
    assertFails(2, Run.of("report", "profile"), "the trace's directory is missing");
    assertFails(2, Run.of("report", "profile", trace, "--fromat", "csv"), "did you mean --format?");
    assertFails(2, Run.of("report", "profile", trace, "--format", "jsn"), "did you mean json?");
    assertFails(2, Run.of("report", "profile", trace, "--top", "none"), "a number of at least 1");
    assertFails(2, Run.of("report", "profile", trace, "--top"), "needs a value: --top N");
    assertFails(2, Run.of("report", "metrics", trace, "--weight", "wall"),
        "report metrics has no option --weight; reports with this option: ", "critical-path",
        "intervals");
    assertFails(2, Run.of("info", "--quiet=yes", trace), "takes no value");
    assertFails(2, Run.of("info"), "parallax record -o DIR");
    assertFails(2, Run.of("check", "a\0b"), "cannot be the name of a directory");
  }

  @Test
  void whatIsFasterIsNamedOnce() {
    Run run = Run.of("report", "what-if", trace, "--faster", "compute", "--faster", "finish=4");
    assertContains(run.out(), "compute", "finish", "all together");
    assertFails(2, Run.of("report", "what-if", trace, "--faster", "compute=3", "--faster", "Msg",
        "--faster", "compute"),
        "--faster names \"compute\" twice; use a separate report");
    assertFails(2, Run.of("report", "what-if", trace, "--faster", "compute=0"), "not a speed-up "
        + "factor above 0");
    assertFails(1, Run.of("report", "what-if", trace, "--faster", "comptue"), "did you mean compute?");
  }

  @Test
  void failuresHaveTheNextStep() throws Exception {
    assertFails(1, Run.of("info", directory.resolve("run2")), "Did you mean " + trace);
    assertFails(1, Run.of("import", directory, trace), "Traces in this directory: " + trace);
    Path empty = Files.createDirectories(directory.resolve("empty"));
    assertFails(1, Run.of("report", "metrics", empty), "is empty");
    assertFails(1, Run.of("report", "profile", trace, "--app", "rign"),
        "there is no application \"rign\"; did you mean ring?");
    assertFails(1, Run.of("report", "profile", trace, "--node", "node1/ring[7]"),
        "there is no \"ring[7]\" in node1", "ring[0]");
  }

  @Test
  void aStackTraceComesOnlyWhenAskedFor() {
    Run run = Run.of("info", directory.resolve("run2"), "--verbose");
    assertEquals(1, run.status());
    assertContains(run.err(), "\tat org.parallax.trace");
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "check", "report", "compare", "export"})
  void helpEndsWithExamplesThatParse(String command) {
    Run help = Run.of(command, "--help");
    assertEquals(0, help.status());
    assertEquals("", help.err());
    assertEquals(help, Run.of("help", command));
    assertEquals(help, Run.of(command, "-h"));
    String[] parts = help.out().split("\nexamples:\n");
    assertEquals(2, parts.length);
    for (String example : parts[1].split("\n")) {
      List<String> words = Arrays.asList(example.strip().replaceAll(" >.*", "").replace("'", "")
          .split(" "));
      assertEquals("parallax", words.get(0));
      Run run = Run.of(words.subList(1, words.size()).toArray());
      assertEquals(1, run.status(), "run1 does not exist here: " + run);
      assertContains(run.err(), "there is no trace directory run1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "check", "report", "compare", "export", "session"})
  void helpFitsATerminal(String command) {
    for (String line : Run.of(command, "--help").out().split("\n")) {
      assertTrue(line.length() <= 100, line);
    }
  }

  @Test
  void helpSaysWhichReportTakesWhichOption() {
    String help = Run.of("report", "--help").out();
    for (StandardReport report : StandardReport.values()) {
      String all = help.substring(help.indexOf("and these options:"))
          .replaceAll("\n {16,}", " ");
      String line = all.lines().filter(each -> each.startsWith("  " + report.id() + " "))
          .findFirst().orElseThrow();
      assertEquals(report.parameters().stream().map(Parameter::option).toList(),
          List.of(line.strip().split(" +")).subList(1, line.strip().split(" +").length));
    }
  }

  @Test
  void helpNamesAllCommands() {
    Run help = Run.of("--help");
    assertEquals(0, help.status());
    assertContains(help.out(), "\n  info ", "\n  check ", "\n  report ");
    assertTrue(help.out().lastIndexOf("examples:") > help.out().indexOf("commands:"));
  }

  @Test
  void versionIsThatOfTheBundle() throws Exception {
    Path manifest = Path.of(System.getProperty("parallax.root", "."),
        "plugins/org.parallax.cli/META-INF/MANIFEST.MF");
    assertContains(Files.readString(manifest), "Bundle-Version: " + Main.VERSION);
    assertEquals("parallax " + Main.VERSION + " (trace format 1)\n", Run.of("--version").out());
  }

  @Test
  void infoSaysWhatTheTraceHolds() {
    Run run = Run.of("info", trace);
    assertEquals(0, run.status());
    assertEquals("", run.err());
    assertContains(run.out(), "command      mpirun -n 4 ./heat\n", "processes    2\n",
        "threads      2\n", "events       11\n", "samples      3 (100 requested",
        "CPU time     ", "lost         no events\n", "duration     6.000 ms\n", "ring (2 ranks, Open MPI 4.1.4)",
        "node1 (monotonic clock)",
        "ring[1]  1001  node1         0.000     6.000        1       5        1     0  exit 3");
    assertTrue(run.out().endsWith("exit 3\n"), run::out);
    Map<String, Object> json = Json.object(Run.of("info", "--format", "json", trace).out());
    assertEquals(11L, json.get("events"));
    assertEquals(6_000_000L, json.get("durationNs"));
    assertEquals(2, ((List<?>) json.get("processes")).size());
  }

  @Test
  void infoTellsOfThrottledFunctions() {
    Path adapters = Path.of(System.getProperty("parallax.root", "."),
        "native/format/golden/adapters");
    assertContains(Run.of("info", adapters).out(), "functions    instrumented; 1 throttled");
    assertEquals(1L,
        Json.object(Run.of("info", "--format", "json", adapters).out()).get("throttledFunctions"));
    assertFalse(Run.of("info", trace).out().contains("functions"));
  }

  @Test
  void infoOfSeveralTraces() {
    Run run = Run.of("info", trace, trace);
    assertEquals(2, run.out().split("\ntrace |^trace ", -1).length - 1);
  }

  @Test
  void warningsGoToTheOtherStreamAndCanBeSilenced() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("killed"));
    builder.process("node1", "/opt/killed").killed().thread(0).sample(5, "main");
    Path killed = builder.seenEnd("node1", 1000, 9, 10)
        .outcome("node1", "unrecorded\tlibc\t/opt/musl").write();
    Run run = Run.of("info", killed);
    assertContains(run.out(), "killed by SIGKILL",
        "/opt/musl (linked with a C library other than glibc)");
    assertEquals(0, run.status());
    assertContains(run.err(), "parallax: warning: killed (pid 1000 on node1) was killed by SIGKILL");
    assertEquals("", Run.of("info", "--quiet", killed).err());
    Run json = Run.of("report", "metrics", "--format=json", killed);
    assertEquals("", json.err());
    assertContains(((List<?>) Json.object(json.out()).get("warnings")).toString(), "was killed");
  }

  @Test
  void checkExplainsDamage() throws Exception {
    Run sound = Run.of("check", trace);
    assertEquals(0, sound.status());
    assertEquals(trace + ": sound (2 processes, 2 threads, 23 definitions, 2 blocks, 11 events)\n",
        sound.out());
    Path file = trace.resolve("node1.1001.0.0.evt");
    byte[] bytes = Files.readAllBytes(file);
    bytes[70] ^= 1;
    Files.write(file, bytes);
    Run damaged = Run.of("check", trace);
    assertEquals(1, damaged.status());
    assertContains(damaged.out(), "error: node1.1001.0.0.evt, block 0, byte 0: the checksum is",
        "Lost: the events of this block.", "Copy the trace again", ": 1 error");
    Map<String, Object> json = Json.object(Run.of("check", "--format", "json", trace).out());
    assertEquals(false, json.get("sound"));
    assertContains(json.get("findings").toString(), "severity=error", "byteOffset=0");
    Run several = Run.of("check", "--format", "json", trace.resolve("none"), trace, trace);
    assertEquals(1, several.status());
    assertContains(several.err(), "there is no trace directory");
    assertEquals(2, several.out().split("\"sound\": false").length - 1);
    assertEquals(1, Run.of("info", trace).status());
    Run report = Run.of("report", "metrics", trace);
    assertEquals(1, report.status());
    assertContains(report.out(), "Messages sent");
    assertContains(report.err(), "damaged: node1.1001.0.0.evt, block 0", "parallax check");
  }

  @ParameterizedTest
  @ValueSource(strings = {"critical-path", "profile"})
  void rowsAddUpToTheTotal(String kind) {
    for (String level : List.of("application", "machine", "process", "thread", "procedure")) {
      Run run = Run.of("report", kind, trace, "--level", level, "--format", "json");
      assertEquals(0, run.status(), run::err);
      Map<String, Object> json = Json.object(run.out());
      assertEquals(List.of("report", "trace", "parameters", "unit", "total", "rows", "warnings"),
          List.copyOf(json.keySet()));
      assertEquals(kind, json.get("report"));
      assertEquals(trace.toString(), json.get("trace"));
      assertEquals("ns", json.get("unit"));
      assertContains(json.get("parameters").toString(), "application=ring", "level=" + level);
      long sum = 0;
      for (Object row : (List<?>) json.get("rows")) {
        sum += (Long) ((Map<?, ?>) row).get("time");
      }
      assertEquals(json.get("total"), sum);
      assertTrue(sum > 0);
    }
  }

  @Test
  void metricsHaveARowForEachMetric() {
    Run run = Run.of("report", "metrics", trace, "--format", "csv");
    assertContains(run.out(), "name,unit,node1:ring[0],node1:ring[1]\r\n",
        "Messages sent,count,1,0\r\n", "Bytes received,bytes,0,4096\r\n");
    Map<String, Object> json = Json.object(Run.of("report", "metrics", trace, "--format", "json",
        "--level", "application").out());
    assertEquals(null, json.get("total"));
    assertContains(json.get("rows").toString(), "{name=Messages received, unit=count, ring=1}");
  }

  @Test
  void aNodeLimitsTheTable() {
    Run all = Run.of("report", "profile", trace);
    Run node = Run.of("report", "profile", trace, "--node", "node1/ring[1]");
    assertEquals(node.out(), Run.of("report", "profile", trace, "--node", "node1:ring[1]").out());
    assertContains(all.out(), "compute", "finish", "MPI_Send");
    assertContains(node.out(), "finish");
    assertFalse(node.out().contains("MPI_Send"), node::out);
  }

  @Test
  void topCutsRowsAndSaysSo() {
    Run run = Run.of("report", "profile", trace, "--top", "1");
    assertContains(run.out(), "... ", " more rows\ntotal");
    assertEquals(1, ((List<?>) Json.object(Run.of("report", "profile", trace, "--top", "1",
        "--format", "json").out()).get("rows")).size());
  }

  @Test
  void severalApplicationsAreChosenFrom() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("two"));
    builder.mpiJob("node1", "/opt/ring", 1);
    builder.process("node1", "/opt/server").thread(0).sample(10, "main");
    builder.process(0).thread(0).sample(20, "main");
    Path two = builder.write();
    Run text = Run.of("report", "metrics", two);
    assertContains(text.out(), "Metrics (ring)", "Metrics (server)");
    assertFails(1, Run.of("report", "metrics", two, "--format", "json"),
        "there are 2 applications", "--app: ring, server");
    Map<String, Object> server = Json.object(Run.of("report", "metrics", two, "--format", "json",
        "--app", "server").out());
    assertContains(server.get("parameters").toString(), "application=server");
  }

  @Test
  void goldenTracesOfTheNativeSideCanBeReported() {
    Path golden = Path.of(System.getProperty("parallax.root", "."), "native/format/golden");
    for (String name : List.of("messages", "threads", "exec", "killed")) {
      for (String kind : ReportOptions.catalogue().ids()) {
        Run run = Run.of("report", kind, golden.resolve(name));
        if (kind.equals("disassembly")) {
          // The programs of these traces never were.
          assertEquals(1, run.status(), run::out);
          assertTrue(run.err().startsWith("parallax: "), run::err);
          continue;
        }
        assertEquals(0, run.status(), () -> name + " " + kind + ": " + run.err());
        assertTrue(run.out().lines().count() > 3, run::out);
      }
    }
  }

  @Test
  void waitStatesSayWhoCausedThem() {
    Run text = Run.of("report", "waits", trace);
    assertEquals(0, text.status(), text::err);
    assertEquals("""
        Wait states (ring)

        wait state   machine:process  procedure  in function  time [ms]  %time  count  indirect [ns]  origin         while it did  origin's [ms]
        late sender  node1:ring[1]    MPI_Recv   exchange         3.900   39.4      1              0  node1:ring[0]  main                  3.000
        total                                                     3.900
        """, text.out());
    Map<String, Object> json = Json.object(Run.of("report", "waits", "--level", "procedure",
        "--causes", "--format", "json", trace).out());
    assertEquals(3_900_000L, json.get("total"));
    assertEquals("3900000", ((Map<?, ?>) json.get("parameters")).get("waitNs"));
    Map<?, ?> second = (Map<?, ?>) ((List<?>) json.get("rows")).get(1);
    assertEquals("late sender", second.get("name"));
    assertEquals("MPI_Recv", second.get("procedure"));
    assertEquals("exchange", second.get("caller"));
    assertEquals("main;exchange;MPI_Recv", second.get("path"));
    assertEquals(900_000L, second.get("time"));
    assertEquals("(not begun)", second.get("originProcedure"));
    Run none = Run.of("report", "waits", "--node", "node1/ring[0]", trace);
    assertContains(none.out(), "(no rows)");
    assertFails(2, Run.of("report", "metrics", "--causes", trace), "reports with this option: "
        + "waits");
  }

  @Test
  void efficiencyHasAColumnForEachRun() {
    Path second = new TraceBuilder(directory.resolve("run2")).mpiJob("node1", "/opt/ring", 1)
        .write();
    assertEquals(0, Run.of("report", "efficiency", second).status(), "a run without events");
    TraceBuilder half = new TraceBuilder(directory.resolve("run3"));
    half.process("node1", "/opt/ring").thread(0).sample(0, "main/compute")
        .sample(9_000_000, "main/compute");
    Run text = Run.of("report", "efficiency", trace, half.write());
    assertEquals(0, text.status(), text::err);
    assertContains(text.out(), "\n  Parallel efficiency ", "\n    Load balance ",
        "\n      Serialization efficiency ", "\n  Computation scaling ", "\nSpeedup ");
    Map<String, Object> json = Json.object(Run.of("report", "efficiency", "--scaling", "weak",
        "--format", "json", trace, directory.resolve("run3")).out());
    Map<?, ?> parameters = (Map<?, ?>) json.get("parameters");
    assertEquals("weak", parameters.get("scaling"));
    assertTrue(parameters.get("notAvailable").toString().contains("IPC"));
    Map<?, ?> first = (Map<?, ?>) ((List<?>) json.get("rows")).get(0);
    assertEquals("Processes", first.get("name"));
    assertEquals(2L, first.get("ring"));
    assertFails(2, Run.of("report", "efficiency", "--node", "node1", trace), "no option --node");
    assertFails(2, Run.of("report", "waits", "--scaling", "weak", trace), "reports with this "
        + "option: efficiency");
  }
}
