package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.testing.TraceBuilder;

/** Time histograms on the command line. */
class HistogramCommandTest {
  @TempDir Path directory;

  private Path trace;

  /** Rank 1 waits for a message from 100 us on until 4 ms. */
  @BeforeEach
  void write() {
    trace = write("run1", 0);
  }

  private Path write(String name, long shiftNs) {
    TraceBuilder builder = new TraceBuilder(directory.resolve(name)).mpiJob("node1", "/opt/ring", 2);
    builder.process(0).realtimeShift(shiftNs).thread(0).sample(0, "main")
        .sample(1_000_000, "main/compute")
        .send(4_000_000, 4_100_000, "main/MPI_Send", 1, 1, 7, 4096)
        .sample(8_000_000, "main");
    builder.process(1).realtimeShift(shiftNs).thread(0).sample(0, "main")
        .receive(100_000, 4_200_000, "main/MPI_Recv", 1, 0, 7, 4096).lost(5_000_000, 800_000)
        .sample(8_000_000, "main");
    return builder.write();
  }

  @Test
  void text() {
    Run run = Run.of("report", "histogram", trace, "--metric", "wait", "--bins", "16",
        "--level", "process");
    assertEquals("", run.err());
    assertEquals("""
        Wait time over time (ring)

        node1:ring[0], in all 0 ns
          500.000 us |
                     |
                     |
                     |
                     |
                     |
                     |
                     |
        node1:ring[1], in all 3.900 ms
          500.000 us | #######
                     |.#######
                     |########
                     |########
                     |########
                     |########
                     |########
                     |########
                     +----------------
                      0 ns    8.000 ms

        16 bins of 500.000 us
        """, run.out());
  }

  @Test
  void csv() {
    Run run = Run.of("report", "histogram", trace, "--metric", "message-wait,bytes-sent",
        "--bins", "4", "--format", "csv");
    assertEquals("name,from,to,message-wait ring,bytes-sent ring\r\n"
        + "0,0,2000000,1900000,0\r\n"
        + "1,2000000,4000000,2000000,0\r\n"
        + "2,4000000,6000000,0,4096\r\n"
        + "3,6000000,8000000,0,0\r\n", run.out());
  }

  @Test
  void json() {
    Run run = Run.of("report", "histogram", trace, "--metric", "cpu", "--bins", "2", "--phase",
        "2ms..6ms", "--node", "node1/ring[1]", "--format", "json");
    Map<?, ?> object = Json.object(run.out());
    assertEquals("histogram", object.get("report"));
    assertEquals("ns", object.get("unit"));
    assertEquals(3_200_000L, ((Number) object.get("total")).longValue());
    Map<?, ?> parameters = (Map<?, ?>) object.get("parameters");
    assertEquals("cpu", parameters.get("metric"));
    assertEquals("2ms..6ms", parameters.get("phase"));
    List<?> rows = (List<?>) object.get("rows");
    assertEquals(2, rows.size());
    Map<?, ?> row = (Map<?, ?>) rows.get(1);
    assertEquals(4_000_000L, ((Number) row.get("from")).longValue());
    assertEquals(6_000_000L, ((Number) row.get("to")).longValue());
    assertEquals(1_200_000L, ((Number) row.get("cpu ring")).longValue());
  }

  @Test
  void severalRunsAreCurvesOfOneTable() {
    Path later = write("run2", 3_600_000_000_000L);
    Run apart = Run.of("report", "histogram", trace, later, "--metric", "cpu", "--bins", "2",
        "--format", "csv");
    assertEquals(0, apart.status());
    assertTrue(apart.err().contains("no other application ran while"), apart.err());
    assertTrue(apart.err().contains("--align start"), apart.err());
    Run aligned = Run.of("report", "histogram", trace, later, "--metric", "cpu", "--bins", "2",
        "--format", "csv", "--align", "start");
    assertEquals("", aligned.err());
    String[] lines = aligned.out().split("\r\n");
    assertEquals(3, lines.length);
    assertTrue(lines[1].startsWith("0,0,4000000,8000000,8000000"), lines[1]);
    Run table = Run.of("report", "histogram", trace, later, "--align", "start", "--scope", "global");
    assertEquals(2, table.status());
    assertTrue(table.err().contains("--align needs --scope intra"), table.err());
  }

  @Test
  void wrongNamesAndNumbers() {
    Run near = Run.of("report", "histogram", trace, "--metric", "utilisation");
    assertEquals(1, near.status());
    assertTrue(near.err().contains("no metric \"utilisation\"; did you mean utilization?"),
        near.err());
    Run none = Run.of("report", "histogram", trace, "--metric", "cpu,");
    assertTrue(none.err().contains("there is no metric \"\"; choose from: utilization, running"),
        none.err());
    Run many = Run.of("report", "histogram", trace, "--bins", "2001");
    assertEquals(2, many.status());
    assertTrue(many.err().contains("the maximum is 2000"), many.err());
    Run outside = Run.of("report", "histogram", trace, "--phase", "9ms..");
    assertTrue(outside.err().contains("is outside of the run, which took 8.000 ms"),
        outside.err());
  }
}
