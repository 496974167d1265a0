package org.parallax.model.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.CallPaths;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

class ProceduresTest {
  @TempDir Path directory;

  private static List<String> names(Procedures procedures, int[] ids) {
    return Arrays.stream(ids).mapToObj(id -> procedures.get(id).name()).toList();
  }

  @Test
  void functionHasOneIdInAllProcesses() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    builder.mpiJob("node1", "/opt/ring", 2);
    // Defined in another order, so that the paths' numbers differ.
    int first = builder.process(0).path("main/solve/MPI_Send");
    builder.process(1).path("main/init");
    int second = builder.process(1).path("main/solve/MPI_Send");
    builder.write();
    assertNotEquals(first, second);
    try (Trace trace = Trace.open(directory)) {
      Procedures procedures = Procedures.of(trace);
      assertSame(procedures, Procedures.of(trace));
      int send = procedures.leaf(0, first);
      assertEquals(send, procedures.leaf(1, second));
      assertEquals(new ProcedureInfo("MPI_Send", "", 0, "", ProcedureKind.MPI, ""),
          procedures.get(send));
      assertArrayEquals(procedures.frames(0, first), procedures.frames(1, second));
      assertEquals(List.of("main", "solve", "MPI_Send"),
          names(procedures, procedures.frames(0, first)));
      ProcedureInfo main = procedures.get(procedures.frames(0, first)[0]);
      assertEquals("/src/ring.c", main.file());
      assertEquals(100, main.line());
      assertEquals("/opt/ring", main.module());
      assertEquals(ProcedureKind.USER, main.kind());
      var ids = new TreeSet<Integer>();
      procedures.collect(1, ids);
      assertEquals(4, ids.size());
      assertEquals(5 + 4, procedures.count());
    }
  }

  @Test
  void sameNameInAnotherProgramIsAnotherProcedure() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    int one = builder.process("node1", "/opt/server").path("main");
    int other = builder.process("node1", "/opt/client").path("main");
    builder.write();
    try (Trace trace = Trace.open(directory)) {
      Procedures procedures = Procedures.of(trace);
      int server = trace.processes().get(0).program().equals("server") ? 0 : 1;
      int inServer = procedures.leaf(server, one);
      int inClient = procedures.leaf(1 - server, other);
      assertNotEquals(inServer, inClient);
      assertEquals("/opt/server", procedures.get(inServer).module());
      assertEquals("/opt/client", procedures.get(inClient).module());
    }
  }

  @Test
  void emptyAndUndefinedPathsHaveIdsOfTheirOwn() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("node1", "/opt/ring");
    process.path("main");
    int noSuchRegion = process.path(0, CallPaths.REGION, 77);
    builder.write();
    try (Trace trace = Trace.open(directory)) {
      Procedures procedures = Procedures.of(trace);
      assertEquals(Procedures.NOT_SAMPLED, procedures.leaf(0, 0));
      assertEquals("(not sampled)", procedures.get(Procedures.NOT_SAMPLED).name());
      assertEquals(0, procedures.frames(0, 0).length);
      for (int path : new int[] {noSuchRegion, 1000, -1, Integer.MAX_VALUE}) {
        assertEquals(Procedures.UNDEFINED, procedures.leaf(0, path));
        assertArrayEquals(new int[] {Procedures.UNDEFINED}, procedures.frames(0, path));
      }
    }
  }

  @Test
  void addressesWithoutSymbolsAreModuleAndOffsetWithTheReason() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory).withoutSymbols();
    TracedProcess process = builder.process("node1", "/opt/ring");
    int known = process.path("main");
    int nowhere = process.path(0, CallPaths.ADDRESS, 0x10);
    builder.write();
    try (Trace trace = Trace.open(directory)) {
      Procedures procedures = Procedures.of(trace);
      ProcedureInfo main = procedures.get(procedures.leaf(0, known));
      assertEquals("ring+0x1020", main.name());
      assertEquals(ProcedureKind.UNRESOLVED, main.kind());
      assertEquals("/opt/ring", main.module());
      assertEquals("the trace has no symbols; run: parallax-symbols " + trace.directory(),
          main.reason());
      ProcedureInfo lost = procedures.get(procedures.leaf(0, nowhere));
      assertEquals("0x10", lost.name());
      assertEquals("the address is in no module of the process", lost.reason());
    }
  }

  @Test
  void addressesOfOneFunctionWithoutANameAreOneProcedure() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("node1", "/opt/ring");
    int one = process.path("main");
    int other = process.path("solve");
    int third = process.path("relax");
    builder.write();
    Path symbols = directory.resolve("symbols");
    // As of a stripped program: two addresses in a function that begins at 0x1000, one in no function.
    String text = Files.readString(symbols);
    Matcher address = Pattern.compile("A\\t0\\t(\\w+)\\nF\\trelax\\t").matcher(text);
    assertTrue(address.find(), text);
    String outside = address.group(1);
    Files.writeString(symbols, text.replaceAll("(?m)^F\\t.*\\n", "")
        .replaceAll("(?m)^(A\\t0\\t(?!" + outside + "$)\\w+)$", "$1\t1000"));
    try (Trace trace = Trace.open(directory)) {
      Procedures procedures = Procedures.of(trace);
      ProcedureInfo first = procedures.get(procedures.leaf(0, one));
      assertEquals("ring+0x1000", first.name());
      assertEquals(ProcedureKind.UNRESOLVED, first.kind());
      assertEquals(procedures.leaf(0, one), procedures.leaf(0, other));
      assertEquals("ring+0x" + outside, procedures.get(procedures.leaf(0, third)).name());
    }
  }

  @Test
  void inlinedFramesStandBetweenTheirCallers() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("node1", "/opt/ring");
    int path = process.path("main/MPI_Barrier");
    int main = process.path("main");
    builder.write();
    // As a compiler that inlined relax into solve and solve into main would have it.
    Path symbols = directory.resolve("symbols");
    Files.writeString(symbols, Files.readString(symbols).replace(
        "F\tmain\t/src/ring.c\t120\t100\t0\n",
        "F\trelax\t/src/relax.h\t7\t5\t1\nF\tsolve\t/src/ring.c\t60\t50\t1\n"
        + "F\tmain\t/src/ring.c\t120\t100\t0\n"));
    try (Trace trace = Trace.open(directory)) {
      Procedures procedures = Procedures.of(trace);
      assertEquals(List.of("main", "solve", "relax", "MPI_Barrier"),
          names(procedures, procedures.frames(0, path)));
      ProcessTrace traced = trace.processes().get(0);
      int caller = traced.callPaths().parent(path);
      assertEquals("relax", procedures.get(procedures.leaf(0, caller)).name());
      assertEquals("main", procedures.get(procedures.function(0, caller)).name());
      Procedures folded = procedures.folded();
      assertEquals(List.of("main", "MPI_Barrier"), names(folded, folded.frames(0, path)));
      assertEquals(List.of("main"), names(folded, folded.ownFrames(0, caller)));
      assertEquals("main", folded.get(folded.leaf(0, caller)).name());
      ProcedureInfo relax = procedures.get(procedures.frames(0, caller)[2]);
      assertEquals(new ProcedureInfo("relax", "/src/relax.h", 5, "/opt/ring", ProcedureKind.USER,
          ""), relax);
      assertEquals("main", procedures.get(procedures.leaf(0, main)).name());
      assertEquals(procedures.frames(0, path)[0], procedures.leaf(0, main));
    }
  }
}
