package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.time.ThreadMetric;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Lanes grouped, sorted, filtered and folded, of a program whose numbers can be told from the code. */
class LaneArrangementTest {
  private static final long MS = 1_000_000;
  private static final int RANKS = 6;

  @TempDir Path directory;
  private Trace trace;
  private ApplicationAnalysis analysis;

  /**
   * Six ranks on two machines with two workers each. Rank r sends r messages, rank 4 twenty more; the
   * first worker of rank r is in {@code solve} for 10 (6 - r) ms.
   */
  @BeforeEach
  void write() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("job")).property("command", "./job");
    for (int rank = 0; rank < RANKS; rank++) {
      TracedProcess process =
          builder.process("node" + (rank * 2 / RANKS + 1), "/opt/job").mpi(7, rank, RANKS);
      TracedThread main = process.thread(0);
      main.threadBegin(0, -1);
      for (int i = 0; i < rank + (rank == 4 ? 20 : 0); i++) {
        main.send((2 * i + 1) * MS, (2 * i + 2) * MS, "main/MPI_Send", 1, (rank + 1) % RANKS, 5, 8);
      }
      main.threadEnd(100 * MS);
      for (int worker = 1; worker <= 2; worker++) {
        TracedThread thread = process.thread(worker, 0, "worker-" + worker);
        thread.threadBegin(0, 0);
        if (worker == 1) {
          thread.enter(10 * MS, "run/solve").leave((10 + 10 * (RANKS - rank)) * MS);
        }
        thread.threadEnd(100 * MS);
      }
      process.exit(100 * MS, 0);
    }
    trace = Trace.open(builder.write());
    analysis = new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0));
  }

  @AfterEach
  void close() {
    trace.close();
  }

  private Lanes lanes(LaneArrangement arrangement) {
    return arrangement.lanes(analysis, analysis.timeline(), null, Progress.NONE);
  }

  private static List<String> names(Lanes lanes) {
    return lanes.rows().stream().map(row -> "  ".repeat(row.depth()) + row.name()).toList();
  }

  private static List<String> groups(Lanes lanes) {
    return lanes.rows().stream().filter(row -> row.group() != null && row.depth() == 0)
        .map(Lanes.Lane::name).toList();
  }

  private static LaneArrangement by(LaneMetric metric, boolean lowestFirst) {
    return LaneArrangement.PLAIN.with(new LaneArrangement.Order(false, metric, lowestFirst));
  }

  @Test
  void threadsAreGroupedByProcessMachineAndRole() {
    Lanes plain = lanes(LaneArrangement.PLAIN);
    assertEquals(RANKS * 4, plain.rows().size());
    assertEquals("job[0]", names(plain).get(0));
    assertEquals("  worker-2", names(plain).get(3));
    Lanes machines = lanes(LaneArrangement.PLAIN.with(LaneArrangement.Grouping.MACHINE));
    assertEquals(List.of("node1", "node2"), groups(machines));
    assertEquals("  job[0]", names(machines).get(1));
    assertEquals("    worker-1", names(machines).get(3));
    Lanes roles = lanes(LaneArrangement.PLAIN.with(LaneArrangement.Grouping.ROLE));
    assertEquals(List.of("job", "job: worker"), groups(roles));
    assertEquals(1 + RANKS + 1 + 2 * RANKS, roles.rows().size());
    Lanes flat = lanes(LaneArrangement.PLAIN.with(LaneArrangement.Grouping.NONE));
    assertEquals(3 * RANKS, flat.rows().size());
    assertEquals("job[0] worker-1", names(flat).get(1));
    for (Lanes each : List.of(plain, machines, roles, flat)) {
      int[] threads = each.threads();
      Arrays.sort(threads);
      assertArrayEquals(IntStream.range(0, 3 * RANKS).toArray(), threads, "each has a lane");
    }
  }

  @Test
  void groupsAndLanesAreSortedByAMetric() {
    LaneMetric sent = LaneMetric.of(ThreadMetric.MESSAGES_SENT);
    assertEquals(List.of("job[4]", "job[5]", "job[3]", "job[2]", "job[1]", "job[0]"),
        groups(lanes(by(sent, false))));
    assertEquals(List.of("job[0]", "job[1]", "job[2]", "job[3]", "job[5]", "job[4]"),
        groups(lanes(by(sent, true))));
    Lanes solving = lanes(by(LaneMetric.timeIn("solve"), false));
    assertEquals(List.of("job[0]", "job[1]", "job[2]", "job[3]", "job[4]", "job[5]"), groups(solving));
    assertEquals("  worker-1", names(solving).get(1), "threads of a group, too");
    assertEquals(List.of("node2", "node1"), groups(lanes(
        by(sent, false).with(LaneArrangement.Grouping.MACHINE))));
    assertEquals(List.of("job[0]", "job[1]"), groups(lanes(LaneArrangement.PLAIN
        .with(LaneArrangement.Order.NAMES))).subList(0, 2));
  }

  @Test
  void metricsCountInThePartOfTheTimeThatIsSelected() {
    // After 12 ms only the twenty more messages of rank 4 are sent.
    ApplicationAnalysis late = analysis.during(new Phase("late", new Window(12 * MS, 100 * MS)));
    Lanes lanes = by(LaneMetric.of(ThreadMetric.MESSAGES_SENT), false)
        .lanes(late, analysis.timeline(), null, Progress.NONE);
    assertEquals(List.of("job[4]", "job[0]", "job[1]"), groups(lanes).subList(0, 3));
  }

  @Test
  void filtersChooseThreads() {
    LaneMetric sent = LaneMetric.of(ThreadMetric.MESSAGES_SENT);
    LaneArrangement flat = LaneArrangement.PLAIN.with(LaneArrangement.Grouping.NONE);
    Lanes workers = lanes(flat.with(new LaneFilter("WORKER-1", LaneFilter.Choice.ALL, null, 0)));
    assertEquals(RANKS, workers.threadCount());
    assertEquals(2 * RANKS, workers.filtered());
    assertEquals(List.of("job[4]", "job[5]"), firsts(flat, LaneFilter.Choice.HIGHEST, sent, 2));
    assertEquals(List.of("job[4]"), firsts(flat, LaneFilter.Choice.ABOVE, sent, 50));
    assertEquals(RANKS - 1, firsts(flat, LaneFilter.Choice.BELOW, sent, 50).stream()
        .filter(name -> !name.contains("worker")).count());
    assertEquals(List.of("job[4] main"), lanes(flat.with(new LaneFilter(
        "", LaneFilter.Choice.OUTLIERS, sent, 0))).rows().stream().map(Lanes.Lane::name)
        .filter(name -> name.equals("job[4] main")).toList());
    // A process of which one thread is left has one lane with both names.
    Lanes left = lanes(LaneArrangement.PLAIN.with(
        new LaneFilter("", LaneFilter.Choice.HIGHEST, LaneMetric.timeIn("solve"), 1)));
    assertEquals(List.of("job[0] worker-1"), names(left));
    // Nothing is left of names that nobody has.
    assertEquals(0, lanes(flat.with(new LaneFilter("nobody", LaneFilter.Choice.ALL, null, 0)))
        .rows().size());
  }

  private List<String> firsts(
      LaneArrangement flat, LaneFilter.Choice choice, LaneMetric metric, int number) {
    return lanes(flat.with(new LaneFilter("", choice, metric, number))).rows().stream()
        .map(row -> row.name().replaceFirst(" main$", "")).sorted().toList();
  }

  @Test
  void foldedGroupsAreALaneOfTheirThreads() {
    Lanes plain = lanes(LaneArrangement.PLAIN);
    LaneArrangement one = LaneArrangement.PLAIN.turned(plain.rows().get(0).group());
    Lanes folded = lanes(one);
    assertEquals(plain.rows().size() - 3, folded.rows().size());
    assertEquals(3, folded.rows().get(0).threads().size());
    assertEquals(0, folded.rowOfThread()[folded.rows().get(0).thread()]);
    assertEquals(plain.rows(), lanes(one.turned(plain.rows().get(0).group())).rows());
    Lanes all = lanes(LaneArrangement.PLAIN.withFolded(Set.copyOf(plain.groups())));
    assertEquals(RANKS, all.rows().size());
    assertEquals(3 * RANKS, all.threadCount());
  }
}
