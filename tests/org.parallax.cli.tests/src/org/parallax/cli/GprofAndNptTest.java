package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Gprof tables and NPT profiles as people and programs get them. */
class GprofAndNptTest {
  @TempDir
  Path directory;

  private Path trace;

  @BeforeEach
  void writeTrace() {
    trace = server("run1");
  }

  /** main calls init; that calls undo, which calls redo and is called by it, and count. */
  private Path server(String name) {
    TraceBuilder builder = new TraceBuilder(directory.resolve(name));
    TracedProcess process = builder.process("beaufort", "/opt/sm_server");
    int main = process.path(0, CallPaths.FUNCTION, process.address("main"));
    int init = process.path(main, CallPaths.FUNCTION, process.address("init"));
    int undo = process.path(init, CallPaths.FUNCTION, process.address("undo"));
    int redo = process.path(undo, CallPaths.FUNCTION, process.address("redo"));
    int again = process.path(redo, CallPaths.FUNCTION, process.address("undo"));
    int count = process.path(main, CallPaths.FUNCTION, process.address("count"));
    process.thread(0).threadBegin(0, -1).enter(0, main).enter(100_000, init)
        .enter(150_000, undo).enter(1_150_000, redo).enter(1_450_000, again).leave(1_850_000)
        .leave(1_850_000).leave(1_850_000).enter(1_850_000, undo).leave(2_850_000)
        .leave(2_900_000).enter(2_900_000, count).leave(2_910_000)
        .event(2_910_000, Kind.THROTTLED, count, 1).leave(3_000_000)
        .event(3_000_000, Kind.VISITS, count, 1_233).threadEnd(3_000_000);
    TracedThread second = process.thread(1);
    second.threadBegin(1_000_000, 0).sample(2_000_000, "start/poll").threadEnd(2_000_000);
    return builder.write();
  }

  @Test
  void anEntryHasItsCallersAboveAndItsCalleesBelow() {
    Run run = Run.of("report", "gprof", "--node", "beaufort/sm_server/main", trace);
    assertEquals("""
        Gprof table (sm_server > beaufort > sm_server > main), CPU time

                   parents                                                    called/total
        index  name                       %time  self [ms]  descendants [ms]   called+self
                   children                                                   called/total

                   <spontaneous>                     0.190             2.810           1/1
        [1]    main [1]                   100.0      0.190             2.810             1
                   init [2]                          0.100             2.700           1/1
                   count [6] (throttled)             0.010             0.000   1,234/1,234

                   main [1]                          0.100             2.700           1/1
        [2]    init [2]                    93.3      0.100             2.700             1
                   undo <cycle 1> [4]                2.700             0.000           2/2

                   init [2]                          2.700             0.000           2/2
        [3]    <cycle 1> as a whole [3]    90.0      2.700             0.000           2+2
                   undo <cycle 1> [4]                2.400             0.000             3
                   redo <cycle 1> [5]                0.300             0.000             1

                   redo <cycle 1> [5]                                                    1
                   init [2]                          2.700             0.000           2/2
        [4]    undo <cycle 1> [4]          80.0      2.400             0.000             3
                   redo <cycle 1> [5]                                                    1

                   undo <cycle 1> [4]                                                    1
        [5]    redo <cycle 1> [5]          10.0      0.300             0.000             1
                   undo <cycle 1> [4]                                                    1

        total 3.000 ms
        1 entry with less time left out; see --min-percent
        """, run.out());
    assertTrue(run.err().startsWith("parallax: warning: 1 procedure was throttled"), run.err());
  }

  @Test
  void topIsANumberOfEntriesForPeople() {
    List<String> lines = Run.of("report", "gprof", "--top", "1", "--min-percent", "30", trace)
        .out().lines().toList();
    assertEquals("           count [8] (throttled)             0.010             0.000   1,234/1,234",
        lines.get(9));
    assertEquals(List.of("... 3 more entries", "", "total 4.000 ms",
        "4 entries with less time left out; see --min-percent"), lines.subList(10, lines.size()));
  }

  @Test
  void whatIsSampledIsMarked() {
    String out = Run.of("report", "gprof", "--node", "beaufort/sm_server/thread 1", trace).out();
    assertTrue(out.contains("start [2]                 1.000             0.000       >=1/>=1\n"), out);
    assertTrue(out.endsWith(
        "\n>= lower bound: calls of procedures that are only sampled are not all counted\n"), out);
  }

  @Test
  void aProcedureHasItsEntryAlone() {
    assertEquals("""
        name,entry,of,role,index,cycle,percent,self,descendants,called,calledExact,selfCalls,total,\
        totalExact,throttled,function
        main,2,init,parent,1,0,93.33333333333333,100000,2700000,1,true,0,1,true,false,
        init,2,init,self,2,0,93.33333333333333,100000,2700000,1,true,0,0,true,false,init
        undo,2,init,child,4,1,90.0,2700000,0,2,true,0,2,true,false,
        """, Run.of("report", "gprof", "--node", "beaufort/sm_server/main/init", "--format", "csv",
            trace).out().replace("\r\n", "\n"));
    Run wrong = Run.of("report", "gprof", "--node", "beaufort/sm_server/main/inti", trace);
    assertEquals(1, wrong.status());
    assertEquals("parallax: there is no \"inti\" in main; did you mean init?\n", wrong.err());
  }

  @Test
  void selfTimesAddUpToTheTotal() {
    Map<String, Object> json =
        Json.object(Run.of("report", "gprof", "--format", "json", "--weight", "wall", trace).out());
    assertEquals(null, json.get("total"), "rows of several roles add up to nothing");
    Map<?, ?> parameters = (Map<?, ?>) json.get("parameters");
    long sum = 0;
    List<Object> roles = new ArrayList<>();
    for (Object each : (List<?>) json.get("rows")) {
      Map<?, ?> row = (Map<?, ?>) each;
      roles.add(row.get("role"));
      sum += row.get("role").equals("self") ? (Long) row.get("self") : 0;
    }
    assertEquals(parameters.get("totalNs"), Long.toString(sum));
    assertEquals("0", parameters.get("leftOut"));
    assertEquals(2, roles.stream().filter("member"::equals).count());
    assertEquals(1, roles.stream().filter("cycle"::equals).count());
  }

  /** Two applications at the same time: each halves the other's part, and their calls add up. */
  @Test
  void applicationsTogether() {
    Path other = server("run2");
    assertEquals("""
        name,time,percent,executing,parallelism,function
        undo,2050000,68.33333333333333,4800000,2.341463414634146,undo
        poll,500000,16.666666666666668,2000000,4.0,poll
        main,190000,6.333333333333333,380000,2.0,main
        redo,150000,5.0,600000,4.0,redo
        init,100000,3.3333333333333335,200000,2.0,init
        count,10000,0.3333333333333333,20000,2.0,count
        """, Run.of("report", "npt", "--scope", "global", "--format", "csv", trace, other).out()
            .replace("\r\n", "\n"));
    String gprof = Run.of("report", "gprof", "--scope", "global", "--format", "csv", trace, other)
        .out();
    assertTrue(gprof.contains("\ninit,2,init,self,2,0,70.0,200000,5400000,2,true,0,0,true,false,init\r\n"),
        gprof);
  }

  @Test
  void normalizedTimes() {
    assertEquals("""
        NPT profile (sm_server)

        name   NPT [ms]  %NPT  executing [ms]  parallelism
        undo      2.050  68.3           2.400         1.17
        poll      0.500  16.7           1.000         2.00
        main      0.190   6.3           0.190         1.00
        redo      0.150   5.0           0.300         2.00
        init      0.100   3.3           0.100         1.00
        count     0.010   0.3           0.010         1.00
        total     3.000
        """, Run.of("report", "npt", trace).out());
    Map<String, Object> json = Json.object(Run.of("report", "npt", "--level", "thread", "--format",
        "json", trace).out());
    assertEquals(3_000_000L, json.get("total"));
    assertEquals("ns", json.get("unit"));
    assertEquals(List.of(
        Map.of("name", "beaufort:sm_server:main", "time", 2_500_000L, "percent", 83.333333,
            "executing", 3_000_000L, "parallelism", 1.2, "function", "undo and 4 more"),
        Map.of("name", "beaufort:sm_server:thread 1", "time", 500_000L, "percent", 16.666667,
            "executing", 1_000_000L, "parallelism", 2L, "function", "poll")), json.get("rows"));
  }
}
