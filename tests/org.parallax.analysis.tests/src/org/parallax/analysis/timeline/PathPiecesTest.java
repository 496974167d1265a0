package org.parallax.analysis.timeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** The critical path in pictures that have fewer columns than the path has segments. */
class PathPiecesTest {
  private static final long MS = 1_000_000;
  private static final int SHORT = 100;

  @TempDir Path directory;
  private ProgramTimeline timeline;

  /**
   * Two ranks pass a token every millisecond, 100 times. From 100 ms to 500 ms rank 0 has it; its message is under way
   * until 700 ms, and rank 1 uses it until 1,000 ms.
   *
   * <pre>
   *   0 |-.-.-.-.---------.
   *   1 |.-.-.-.-          `````------|
   *     0      100       500   700   1000 ms
   * </pre>
   */
  @BeforeEach
  void token() throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("token"));
    TracedThread[] threads = new TracedThread[2];
    for (int rank = 0; rank < 2; rank++) {
      threads[rank] = trace.process("node1", "/opt/token").mpi(7, rank, 2).thread(0);
      threads[rank].threadBegin(0, -1);
    }
    for (int i = 0; i < SHORT; i++) {
      long now = i * MS;
      threads[i % 2].sample(now + MS / 2, "main/work")
          .send(now + MS - 20_000, now + MS - 15_000, "main/MPI_Send", 1, 1 - i % 2, 5, 8);
      threads[1 - i % 2].receive(i == 0 ? 10 : now - 5_000, now + MS - 10_000, "main/MPI_Recv", 1,
          i % 2, 5, 8);
    }
    for (long ms = 110; ms < 500; ms += 10) {
      threads[0].sample(ms * MS, "main/work");
    }
    threads[0].send(500 * MS, 501 * MS, "main/MPI_Send", 1, 1, 5, 8).threadEnd(502 * MS);
    threads[1].receive(100 * MS, 700 * MS, "main/MPI_Recv", 1, 0, 5, 8);
    for (long ms = 710; ms < 1000; ms += 10) {
      threads[1].sample(ms * MS, "main/work");
    }
    threads[1].threadEnd(1000 * MS);
    trace.process(0).exit(502 * MS, 0);
    trace.process(1).exit(1000 * MS, 0);
    Trace opened = Trace.open(trace.write());
    ApplicationAnalysis analysis =
        new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0));
    timeline = analysis.timeline();
    timeline.readPath(Progress.NONE);
  }

  private PathPieces path(int columns) {
    return timeline.path(0, 1000 * MS, columns);
  }

  @Test
  void aPictureWithRoomForAllHasAllArcs() {
    PathPieces path = path(1000);
    assertFalse(path.isThinned());
    assertEquals(SHORT + 2, path.pieces().size());
    assertEquals(SHORT + 1, path.arcs(1000, 1, thread -> true).length);
  }

  @Test
  void aNarrowPictureKeepsLongPiecesAndTheArcBetweenThem() {
    for (int columns : new int[] {10, 20, 50, 99}) {
      PathPieces path = path(columns);
      assertTrue(path.isThinned() && path.pieces().size() <= columns, columns + " columns");
      int last = path.pieces().size() - 1;
      PathPieces.Piece from = path.pieces().get(last - 1);
      PathPieces.Piece to = path.pieces().get(last);
      assertEquals(0, from.thread());
      assertEquals(500 * MS, from.endNs(), "it ends when the message is sent");
      assertEquals(new PathPieces.Piece(1, 700 * MS, 1000 * MS, ArcKind.MESSAGE), to);
      assertArrayEquals(new int[] {last}, path.arcs(1, 1, thread -> true), "the longest is chosen");
    }
  }

  @Test
  void fewArcsAreThoseAroundWhichMostTimePasses() {
    PathPieces path = path(95);
    int[] all = path.arcs(1000, 1, thread -> true);
    assertTrue(all.length > 4, "there are short ones: " + all.length);
    int[] few = path.arcs(3, 1, thread -> true);
    assertEquals(3, few.length);
    long least = IntStream.of(few).mapToLong(i -> time(path.pieces(), i)).min().orElseThrow();
    assertTrue(IntStream.of(all).filter(i -> IntStream.of(few).noneMatch(each -> each == i))
        .allMatch(i -> time(path.pieces(), i) <= least));
    assertEquals(0, path.arcs(1000, 1, thread -> thread == 0).length, "one end is out of sight");
  }

  /** Lines that are near to each other would cover what is below them. */
  @Test
  void arcsAreApart() {
    PathPieces path = path(1000);
    int[] all = path.arcs(1000, 1, thread -> true);
    int[] apart = path.arcs(1000, 20 * MS, thread -> true);
    assertTrue(apart.length > 2 && apart.length < all.length, apart.length + " of " + all.length);
    for (int i = 1; i < apart.length; i++) {
      assertTrue(middle(path.pieces(), apart[i]) - middle(path.pieces(), apart[i - 1]) >= 20 * MS);
    }
    // What is left out is near to a longer one.
    for (int arc : all) {
      assertTrue(IntStream.of(apart).anyMatch(each -> each == arc || time(path.pieces(), each) >= time(path.pieces(), arc)
          && Math.abs(middle(path.pieces(), each) - middle(path.pieces(), arc)) < 20 * MS), "arc " + arc);
    }
  }

  private static long middle(List<PathPieces.Piece> pieces, int arc) {
    return (pieces.get(arc - 1).endNs() + pieces.get(arc).beginNs()) / 2;
  }

  private static long time(List<PathPieces.Piece> pieces, int arc) {
    return pieces.get(arc).endNs() - pieces.get(arc - 1).beginNs();
  }
}
