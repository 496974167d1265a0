package org.parallax.analysis.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Collective;
import org.parallax.trace.KeptState.What;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.WindowOp;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** What threads of which only the last events are kept have in common with what they did before. */
class KeptReplayTest {
  private static final int WINDOW = 2;
  private static final int IS_WINDOW = 8;
  private static final int TAG = 7;
  private static final String PAUSE = "[not recorded]";

  @TempDir Path directory;

  private TraceBuilder trace;
  private int world;

  private TracedThread rank(int rank) {
    if (trace == null) {
      trace = new TraceBuilder(directory);
    }
    trace.process("n", "/opt/p").mpi(7, rank, 2).communicator(WINDOW, 2, 0xabc, rank, IS_WINDOW,
        new int[][] {{0, 1, 2}}, new int[0][], "");
    world = 1;
    return trace.process(rank).thread(0).threadBegin(0, -1);
  }

  private static long from(int rank) {
    return (long) rank << 32 | TAG;
  }

  private static long epoch(WindowOp op, int rank) {
    return (long) op.op() << 31 | rank;
  }

  private List<String> told() throws Exception {
    List<String> told = new ArrayList<>();
    try (Trace opened = Trace.open(trace.write())) {
      Replay replay = Replay.momentsOf(opened.processes(), Progress.NONE, new WaitListener() {
        @Override
        public void waited(ThreadRecord thread, ArcKind kind, int detail, int path, long beginNs, long untilNs,
            long cause) {
          told.add(thread.process().mpi().worldRank() + " waits from " + beginNs + " until " + untilNs);
        }

        @Override
        public void began(ThreadRecord thread, long createdNs, long cause) {
          told.add("begin");
        }

        @Override
        public void received(ThreadRecord thread, ArcKind kind, long bytes, long sentNs, long receivedNs, long from) {
          told.add(thread.process().mpi().worldRank() + " gets at " + receivedNs + " what was sent at " + sentNs);
        }

        @Override
        public void left(ThreadRecord thread, long key, long sequence, int size, int detail, int path, long beginNs,
            long endNs) {
          // Not of interest.
        }
      });
      assertEquals(List.of(), replay.warnings());
    }
    return told;
  }

  /** Five were sent, three received, and one receive was posted: the fifth and the sixth message follow. */
  @Test
  void messagesAreCountedOnBothSides() throws Exception {
    rank(0).keptFrom(100, PAUSE).kept(100, What.SENDS, world, from(1), 5)
        .send(300, 301, "MPI_Send", world, 1, TAG, 8);
    rank(1).keptFrom(120, PAUSE).kept(120, What.RECEIVES, world, from(0), 3)
        .kept(120, What.POSTED, world, (long) Kind.ANY_SOURCE << 32 | TAG, 9)
        .waitReceive(150, 160, "MPI_Wait", world, 0, TAG, 8, 9)
        .receive(170, 180, "MPI_Recv", world, 0, TAG, 8)
        .receive(200, 310, "MPI_Recv", world, 0, TAG, 8);
    assertEquals(List.of("1 waits from 200 until 300", "1 gets at 310 what was sent at 300"), told().stream().sorted(
        (a, b) -> b.compareTo(a)).toList());
  }

  /** Messages that the other side has received in what it does not keep have no partner, and count. */
  @Test
  void messagesWereTakenBefore() throws Exception {
    rank(0).send(20, 21, "MPI_Send", world, 1, TAG, 8).send(30, 31, "MPI_Send", world, 1, TAG, 8)
        .send(300, 301, "MPI_Send", world, 1, TAG, 8);
    rank(1).keptFrom(120, PAUSE).kept(120, What.RECEIVES, world, from(0), 1)
        .kept(120, What.OVERTAKING, world, from(0), 1, 9).kept(120, What.POSTED, world, from(0), 9)
        .waitReceive(150, 160, "MPI_Wait", world, 0, TAG, 8, 9)
        .receive(200, 310, "MPI_Recv", world, 0, TAG, 8);
    assertEquals(List.of("1 waits from 200 until 300", "1 gets at 310 what was sent at 300"), told().stream().sorted(
        (a, b) -> b.compareTo(a)).toList());
  }

  /** It was completed by another thread, which has counted it. */
  @Test
  void aReceiveThatDoesNotCompleteTakesNoMessage() throws Exception {
    rank(0).keptFrom(100, PAUSE).kept(100, What.SENDS, world, from(1), 3)
        .send(300, 301, "MPI_Send", world, 1, TAG, 8);
    rank(1).keptFrom(120, PAUSE).kept(120, What.RECEIVES, world, from(0), 3).kept(120, What.POSTED, world, from(0), 9)
        .receive(200, 310, "MPI_Recv", world, 0, TAG, 8);
    assertEquals(List.of("1 waits from 200 until 300", "1 gets at 310 what was sent at 300"), told().stream().sorted(
        (a, b) -> b.compareTo(a)).toList());
  }

  @Test
  void aPostedCollectiveIsKept() throws Exception {
    TracedThread late = rank(0);
    long sequence = late.icollective(10, 11, "MPI_Ibarrier", world, Collective.BARRIER, Kind.NO_ROOT, 0, 0);
    late.keptFrom(100, PAUSE).kept(100, What.COLLECTIVE, world,
        (long) Collective.BARRIER.op() << 31 | Kind.NO_ROOT, 0, 0, sequence)
        .waitCollective(200, 210, "MPI_Wait", world, Collective.BARRIER, Kind.NO_ROOT, 0, 0, sequence);
    TracedThread other = rank(1);
    sequence = other.icollective(60, 61, "MPI_Ibarrier", world, Collective.BARRIER, Kind.NO_ROOT, 0, 0);
    other.waitCollective(150, 160, "MPI_Wait", world, Collective.BARRIER, Kind.NO_ROOT, 0, 0, sequence);
    assertEquals(List.of(), told());
  }

  /** An origin starts its third epoch, and waits for the third post of the target. */
  @Test
  void epochsOfWindowsAreCounted() throws Exception {
    rank(0).keptFrom(100, PAUSE).kept(100, What.EPOCHS, WINDOW, epoch(WindowOp.START, 1), 2)
        .kept(100, What.EPOCHS, WINDOW, epoch(WindowOp.COMPLETE, 1), 2)
        .enter(250, "MPI_Win_start").event(310, Kind.WINDOW, WINDOW, epoch(WindowOp.START, 1)).leave(310)
        .enter(400, "MPI_Win_complete").event(400, Kind.WINDOW, WINDOW, epoch(WindowOp.COMPLETE, 1)).leave(401);
    rank(1).keptFrom(120, PAUSE).kept(120, What.EPOCHS, WINDOW, epoch(WindowOp.POST, 0), 2)
        .kept(120, What.EPOCHS, WINDOW, epoch(WindowOp.WAIT, 0), 1)
        .enter(150, "MPI_Win_wait").event(160, Kind.WINDOW, WINDOW, epoch(WindowOp.WAIT, 0)).leave(160)
        .enter(300, "MPI_Win_post").event(300, Kind.WINDOW, WINDOW, epoch(WindowOp.POST, 0)).leave(301)
        .enter(320, "MPI_Win_wait").event(410, Kind.WINDOW, WINDOW, epoch(WindowOp.WAIT, 0)).leave(410);
    assertEquals(List.of("0 waits from 250 until 300", "1 waits from 320 until 400"), told());
  }
}
