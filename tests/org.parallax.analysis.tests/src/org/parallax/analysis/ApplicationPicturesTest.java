package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.metrics.MetricsReport;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.reports.WhatIfReport;
import org.parallax.analysis.reports.WhatIfReport.Change;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

/**
 * Critical paths of several applications, after Figure 4 of Irvin and Miller 1993: a program by
 * itself (a), a server (b), and a client of it (c). Drawn as in {@link CriticalPathPicturesTest}.
 *
 * <pre>
 * time 0    1    2    3    4    5    6
 * a    aaaaaaaaaaaaaaaaaaaaaaaaaaS>                a also asks the server, after c
 * b    bbbbbbbbbbR....=sssssssS>R......=tttttS
 * c    ccccccS>R................=dd
 * </pre>
 */
class ApplicationPicturesTest {
  @TempDir Path directory;

  private LoadedSession session;

  /** Each application has a trace of its own; that of the client began 1 us later. */
  private List<Trace> traces() throws TraceException {
    List<Trace> traces = new ArrayList<>();
    TracedProcess a = process("a");
    a.thread(0).enter(0, "a").leave(3_000)
        .write(3_000, 3_010, "send", a.stream(3, 503, "to"), 0, 10);
    TracedProcess b = process("b");
    int request = b.stream(3, 501, "from c");
    int reply = b.stream(3, 502, "to c");
    int other = b.stream(3, 503, "from a");
    b.thread(0).enter(0, "b").leave(1_200).read(1_200, 1_720, "recv", request, 0, 64)
        .enter(1_720, "s").leave(2_500).write(2_500, 2_520, "send", reply, 0, 9)
        .read(2_530, 3_030, "recv", other, 0, 10).enter(3_030, "t").leave(3_600);
    TracedProcess c = process("c").start(1_000);
    c.thread(0).enter(1_000, "c").leave(1_700)
        .write(1_700, 1_705, "send", c.stream(3, 501, "to"), 0, 64)
        .read(1_710, 2_540, "recv", c.stream(3, 502, "from"), 0, 9).enter(2_540, "d").leave(2_700);
    for (TracedProcess process : List.of(a, b, c)) {
      traces.add(Trace.open(builders.get(traces.size()).write()));
    }
    return traces;
  }

  private final List<TraceBuilder> builders = new ArrayList<>();

  private TracedProcess process(String name) {
    TraceBuilder builder = new TraceBuilder(directory.resolve(name));
    builders.add(builder);
    TracedProcess process = builder.process("n", "/opt/" + name);
    process.region("send");
    process.region("recv");
    return process;
  }

  private Application application(String name) {
    return session.getApplications().stream().filter(each -> each.getName().equals(name))
        .findFirst().orElseThrow();
  }

  private static List<String> rows(ApplicationAnalysis analysis) {
    Table table =
        CriticalPathReport.of(analysis, Level.PROCEDURE, Weight.CPU, null, Progress.NONE);
    List<String> rows = new ArrayList<>();
    long sum = 0;
    for (Row row : table.rows()) {
      rows.add(row.name() + " " + row.values().get(table.totalColumn()));
      sum += (Long) row.values().get(table.totalColumn());
    }
    assertEquals(table.total(), sum);
    rows.add("= " + table.total());
    return rows;
  }

  @Test
  void theThreeScopesOfThePaper() throws TraceException {
    session = SessionBuilder.of(traces().toArray(Trace[]::new));
    List<Application> all = session.getApplications();
    // Alone, the client waits for nobody whom the path knows.
    assertEquals(List.of("(not sampled) 5", "c 700", "d 160", "recv 830", "send 5", "= 1700"),
        sorted(rows(new ApplicationAnalysis(application("c")))));
    // The server works for the client from the request on; what it did before weighs nothing.
    assertEquals(List.of("Stream: n:b->n:c 40", "Stream: n:c->n:b 20", "c 700", "d 160", "s 780",
        "= 1700"), sorted(rows(ApplicationAnalysis.inter(application("c"), all))));
    // The server alone; with its clients, which do nothing on its behalf: its waits vanish.
    assertEquals(List.of("(not sampled) 10", "b 1200", "recv 1020", "s 780", "send 20", "t 570", "= 3600"),
        sorted(rows(new ApplicationAnalysis(application("b")))));
    assertEquals(List.of("(not sampled) 10", "b 1200", "recv 50", "s 780", "send 20", "t 570",
        "= 2630"),
        sorted(rows(ApplicationAnalysis.inter(application("b"), all))));
    // All together: a is what the server waited for last.
    assertEquals(List.of("Stream: n:a->n:b 30", "a 3000", "t 570", "= 3600"),
        sorted(rows(ApplicationAnalysis.global(all))));
  }

  @Test
  void aPhaseOfThePath() throws TraceException {
    session = SessionBuilder.of(traces().toArray(Trace[]::new));
    ApplicationAnalysis part = ApplicationAnalysis.inter(application("c"),
        session.getApplications()).during(new Phase("1.5us..2us", new Window(1_500, 2_000)));
    assertEquals(List.of("Stream: n:c->n:b 20", "c 200", "s 280", "= 500"), sorted(rows(part)));
    Table metrics = MetricsReport.of(part, Level.APPLICATION, null, Progress.NONE);
    assertEquals(List.of(500L, 500L, 500L), metrics.rows().get(0).values());
    assertEquals("1.5us..2us", metrics.parameters().get("phase"));
  }

  @Test
  void whatIfPartsWereFaster() throws TraceException {
    session = SessionBuilder.of(traces().toArray(Trace[]::new));
    List<Application> all = session.getApplications();
    ApplicationAnalysis client = ApplicationAnalysis.inter(application("c"), all);
    assertEquals(List.of("s 1310 390", "Stream 1640 60", "a 1700 0", "n:b 1310 390",
        "all together 1055 645"), whatIf(client, new Change("s", 2), new Change("Stream", 1e9),
            new Change("a", 2), new Change("n:b", 2)));
    // However fast a is, the server has work of its own: what it did in 2630.
    assertEquals(List.of("a 3000 600", "a 2630 970", "n:a 2630 970", "all together 2630 970"),
        whatIf(ApplicationAnalysis.global(all), new Change("a", 1.25), new Change("a", 1e9),
            new Change("n:a", 1e9)));
    assertEquals(List.of("s 1310 390", "c 1350 350"), whatIf(client,
        WhatIfReport.suggestions(
            client, Weight.CPU, 2, 2, WhatIfReport.Extent.INCLUSIVE, Progress.NONE)
            .toArray(Change[]::new)).subList(0, 2));
  }

  private static List<String> whatIf(ApplicationAnalysis analysis, Change... changes) {
    return WhatIfReport.of(analysis, List.of(changes), WhatIfReport.Extent.INCLUSIVE, Weight.CPU,
            Progress.NONE).rows().stream()
        .map(row -> row.name() + " " + row.values().get(1) + " " + row.values().get(2)).toList();
  }

  private static List<String> sorted(List<String> rows) {
    List<String> sorted = new ArrayList<>(rows.subList(0, rows.size() - 1));
    sorted.sort(null);
    sorted.add(rows.get(rows.size() - 1));
    return sorted;
  }
}
