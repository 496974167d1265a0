package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.trace.testing.CubeFile;
import org.parallax.trace.testing.TraceBuilder;

/**
 * Profiles of Cube in the reports. The values of the planted profile are those that pycubexr 2.1.1, another reader of the
 * format, gives of it; it converts inclusive values to exclusive ones and back in the same way.
 */
class CubeTest {
  private static final double MS = 1e-3;

  @TempDir Path directory;

  /**
   * Two ranks on two machines, of two threads each. Times in milliseconds of rank 0, those of rank 1 are twice as long:
   * main 10, main/solve 40, main/solve/MPI_Recv 5, main/MPI_Finalize 1; the second threads have solve 7 only.
   */
  static CubeFile planted(ByteOrder order, boolean isPacked, String type) {
    CubeFile cube = new CubeFile().order(order).packed(isPacked);
    int main = cube.region("main", "compiler", "function", "/src/heat.c", 12);
    int solve = cube.region("solve<double>(int&)", "compiler", "function", "/src/heat.c", 40);
    int recv = cube.region("MPI_Recv", "mpi", "point2point", "", -1);
    int end = cube.region("MPI_Finalize", "mpi", "other", "", -1);
    int root = cube.node(-1, main);
    int solving = cube.node(root, solve);
    cube.node(solving, recv);
    cube.node(root, end);
    cube.process("node1", 0, "Master thread", "OMP thread 1").process("node2", 1, "Master thread", "OMP thread 1");
    double[][] ms = {row(10, 0), row(40, 7), row(5, 0), row(1, 0)};
    if (type.equals("INCLUSIVE")) {
      for (int i = 0; i < 4; i++) {
        ms[1][i] += ms[2][i];
        ms[0][i] += ms[1][i] + ms[3][i];
      }
    }
    for (double[] each : ms) {
      Arrays.setAll(each, i -> each[i] * MS);
    }
    cube.metric("time", type, "DOUBLE", "sec", ms);
    cube.metric("visits", "EXCLUSIVE", "UINT64", "occ",
        new double[][] {{1, 0, 1, 0}, {100, 50, 100, 50}, {20, 0, 20, 0}, {1, 0, 1, 0}});
    cube.metric("bytes_received", "EXCLUSIVE", "UINT64", "bytes", new double[][] {null, null, {4096, 0, 8192, 0}, null});
    cube.metric("max_time", "EXCLUSIVE", "MAXDOUBLE", "sec", new double[][] {null, {0.5 * MS, 0.2 * MS, MS, 0.1 * MS}, null, null});
    return cube;
  }

  private static double[] row(double first, double second) {
    return new double[] {first, second, 2 * first, 2 * second};
  }

  private static Map<String, Map<?, ?>> rows(Object... arguments) {
    Run run = Run.of(arguments);
    assertEquals(0, run.status(), run::err);
    Map<String, Map<?, ?>> rows = new TreeMap<>();
    for (Object row : (List<?>) Json.object(run.out()).get("rows")) {
      rows.put((String) ((Map<?, ?>) row).get("name"), (Map<?, ?>) row);
    }
    return rows;
  }

  private static void assertRow(Map<String, Map<?, ?>> rows, String name, double ms, long visits) {
    assertTrue(rows.containsKey(name), () -> name + " is not in " + rows.keySet());
    assertEquals(Math.round(ms * 1e6), ((Number) rows.get(name).get("time")).longValue(), name);
    assertEquals(visits, ((Number) rows.get(name).get("visits")).longValue(), name);
    assertEquals(true, rows.get(name).get("visitsExact"), name);
  }

  @ParameterizedTest
  @CsvSource({"LITTLE_ENDIAN,false,INCLUSIVE", "BIG_ENDIAN,true,INCLUSIVE", "LITTLE_ENDIAN,true,EXCLUSIVE", "BIG_ENDIAN,false,EXCLUSIVE"})
  void reportsHaveTheSumsOfAProfile(String order, boolean isPacked, String type) {
    Path file = planted(order.startsWith("B") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, isPacked, type)
        .write(directory.resolve("heat.cubex"));
    Map<String, Map<?, ?>> profile = rows("report", "profile", "--format", "json", file);
    assertEquals(4, profile.size());
    assertRow(profile, "main", 30, 2);
    assertRow(profile, "solve<double>(int&)", 141, 300);
    assertRow(profile, "MPI_Recv", 15, 40);
    assertRow(profile, "MPI_Finalize", 3, 2);
    assertEquals(156_000_000L, profile.get("solve<double>(int&)").get("inclusive"));
    Map<String, Map<?, ?>> threads = rows("report", "profile", "--level", "thread", "--format", "json", file);
    assertEquals(56_000_000L, threads.get("node1:heat[0]:Master thread").get("time"), threads::toString);
    assertEquals(14_000_000L, threads.get("node2:heat[1]:OMP thread 1").get("time"), threads::toString);
    Run tree = Run.of("report", "calltree", "--node", "node2", file);
    assertTrue(tree.out().contains("MPI_Recv"), tree::out);
    Run check = Run.of("check", file);
    assertEquals(0, check.status(), check::out);
    assertFalse(check.out().contains("warning"), check::out);
  }

  @Test
  void aRunIsComparedWithAProfile() {
    Path file = planted(ByteOrder.LITTLE_ENDIAN, true, "INCLUSIVE").write(directory.resolve("heat.cubex"));
    TraceBuilder trace = new TraceBuilder(directory.resolve("run"));
    trace.mpiJob("node1", "/opt/heat", 1);
    trace.process(0).region("main");
    trace.process(0).thread(0).threadBegin(0, -1).enter(0, "main").enter(1_000_000, "main/MPI_Recv").leave(6_000_000)
        .leave(20_000_000).threadEnd(20_000_000);
    Run run = Run.of("compare", "profile", "--format", "json", trace.write(), file);
    assertEquals(0, run.status(), run::err);
    assertTrue(run.out().contains("MPI_Recv"), run::out);
  }

  @Test
  void whatNeedsEventsSaysSo() {
    Path file = planted(ByteOrder.LITTLE_ENDIAN, false, "EXCLUSIVE").write(directory.resolve("heat.cubex"));
    for (String kind : List.of("critical-path", "histogram", "events", "npt", "delays", "clocks", "phases", "efficiency")) {
      Run run = Run.of("report", kind, file);
      assertEquals(1, run.status(), kind);
      assertEquals("parallax: " + file + " has no events, only the sums of a profile: the report " + kind
          + " cannot be made; reports of profiles are " + "profile, calltree, gprof, balance", run.err().strip(), kind);
      assertEquals("", run.out(), kind);
    }
    Run phase = Run.of("report", "profile", "--phase", "..50%", file);
    assertEquals(1, phase.status());
    assertTrue(phase.err().contains("only the sums of a profile: leave out --phase"), phase::err);
    for (List<String> export : List.of(List.of("chrome"), List.of("perfetto"), List.of("flamegraph", "--of", "waits"))) {
      List<Object> line = new ArrayList<>(List.of("export"));
      line.addAll(export);
      line.add(file);
      Run run = Run.of(line.toArray());
      assertEquals("parallax: " + file + " has no events, only the sums of a profile: " + String.join(" ", export)
          + " cannot be written; formats of profiles are collapsed, flamegraph, callgrind", run.err().strip());
      assertEquals(1, run.status());
    }
    assertTrue(Run.of("export", "collapsed", file).out().contains("main;solve<double>(int&);MPI_Recv 15000000"));
    assertTrue(Run.of("export", "callgrind", file).out().contains("calls=300 40"));
  }

  @Test
  void damageCostsWhatItHits() throws IOException {
    CubeFile cube = planted(ByteOrder.LITTLE_ENDIAN, false, "EXCLUSIVE");
    byte[] visits = cube.member("1.data");
    cube.member("1.data", Arrays.copyOf(visits, visits.length - 40));
    Path file = cube.write(directory.resolve("heat.cubex"));
    Run run = Run.of("report", "profile", "--format", "json", file);
    assertEquals(0, run.status(), run::err);
    assertTrue(run.out().contains("1.data is damaged at its byte 98"), run::out);
    assertTrue(run.out().contains("it ends before the values of 2 of 4 call paths"), run::out);
    assertRow(rows("report", "profile", "--format", "json", file), "solve<double>(int&)", 141, 300);
  }

  @Test
  void aCutArchiveHasWhatStandsBeforeTheCut() throws IOException {
    Path file = planted(ByteOrder.LITTLE_ENDIAN, false, "EXCLUSIVE").write(directory.resolve("heat.cubex"));
    byte[] bytes = Files.readAllBytes(file);
    boolean[] read = new boolean[2];
    for (int length = 0; length < bytes.length; length += 512) {
      Files.write(file, Arrays.copyOf(bytes, length));
      Run run = Run.of("report", "profile", "--format", "json", file);
      int at = length;
      assertTrue(run.status() <= 1, () -> at + ": " + run.err());
      read[run.status()] = true;
      if (run.status() == 1) {
        assertTrue(run.err().contains("the profile " + file + " cannot be read: "), run::err);
      }
    }
    assertTrue(read[0] && read[1]);
  }

  /** The parser of XML would print on its own. */
  @Test
  void namesWithAnyBytesAreShown() throws IOException {
    CubeFile cube = planted(ByteOrder.LITTLE_ENDIAN, false, "EXCLUSIVE");
    Path file = cube.write(directory.resolve("heat.cubex"));
    byte[] bytes = Files.readAllBytes(file);
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("<name>main<") + "<name>".length();
    bytes[at] = (byte) 0xe4;
    Files.write(file, bytes);
    PrintStream before = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertRow(rows("report", "profile", "--format", "json", file), "\ufffdain", 30, 2);
    } finally {
      System.setErr(before);
    }
    assertEquals("", printed.toString(StandardCharsets.UTF_8));
  }

  @Test
  void filesThatAreNoProfilesAreRefused() throws IOException {
    Path file = directory.resolve("heat.cubex");
    Files.writeString(file, "no archive");
    assertTrue(Run.of("info", file).err().contains("there is no member anchor.xml: the archive ends at byte 10"), () -> Run.of("info", file).err());
    CubeFile empty = new CubeFile();
    empty.region("main", "", "", "", 1);
    empty.write(file);
    assertTrue(Run.of("info", file).err().contains("its anchor.xml has no locations"), () -> Run.of("info", file).err());
    new CubeFile().process("n", 0, "main").member("anchor.xml", "<cube><metrics>&evil;".getBytes(StandardCharsets.UTF_8)).write(file);
    Run run = Run.of("info", file);
    assertTrue(run.err().contains("anchor.xml, line 1"), run::err);
    assertFalse(Files.exists(directory.resolve(".heat.cubex.parallax")));
  }
}
