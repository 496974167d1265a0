package org.parallax.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.parallax.trace.testing.TraceBuilder;

/** The cursor against a list of the events that were written. */
class EventCursorTest {
  private static final MachineClock CLOCK =
      MachineClock.of("node1", MachineClock.Source.MONOTONIC, true, 1, 1, 0, 0, 0);

  @TempDir
  Path directory;

  /** One block a mapping, so that every block boundary is one of mappings too. */
  private static EventCursor cursor(RandomTrace trace, int segmentShift) throws Exception {
    return new EventCursor(EventFile.open(trace.file, 0, segmentShift,
        (file, block, offset, fact, loss) -> {
          throw new AssertionError(fact);
        }), CLOCK, null, 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, EventFile.DEFAULT_SEGMENT_SHIFT})
  void readsForwardAndBackward(int segmentShift) throws Exception {
    RandomTrace trace = RandomTrace.write(directory, new Random(segmentShift), 5000, 97);
    EventCursor cursor = cursor(trace, segmentShift);
    List<RandomTrace.Event> forward = new ArrayList<>();
    while (cursor.next()) {
      forward.add(RandomTrace.at(cursor));
    }
    assertEquals(trace.events, forward);
    assertFalse(cursor.next());
    List<RandomTrace.Event> backward = new ArrayList<>();
    while (cursor.previous()) {
      backward.add(RandomTrace.at(cursor));
    }
    Collections.reverse(backward);
    assertEquals(trace.events, backward);
    assertFalse(cursor.previous());
    assertTrue(cursor.next());
    assertEquals(trace.events.get(0), RandomTrace.at(cursor));
  }

  @Test
  void walksAtRandomLikeAnIndexInAList() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      Path each = directory.resolve("walk" + seed);
      RandomTrace trace = RandomTrace.write(each, random, 200, 20 + random.nextInt(60));
      EventCursor cursor = cursor(trace, random.nextInt(3));
      int index = -1;
      for (int step = 0; step < 2000; step++) {
        boolean forward = random.nextBoolean();
        index = Math.max(-1, Math.min(trace.events.size(), index + (forward ? 1 : -1)));
        boolean expected = index >= 0 && index < trace.events.size();
        assertEquals(expected, forward ? cursor.next() : cursor.previous(), "seed " + seed);
        if (expected) {
          assertEquals(trace.events.get(index), RandomTrace.at(cursor), "seed " + seed);
        }
      }
    }
  }

  @Test
  void positionsIncreaseAndLeadBack() throws Exception {
    RandomTrace trace = RandomTrace.write(directory, new Random(7), 1000, 61);
    EventCursor cursor = cursor(trace, 1);
    List<Long> positions = new ArrayList<>();
    assertEquals(-1, cursor.position());
    long last = -1;
    while (cursor.next()) {
      assertTrue(cursor.position() > last);
      last = cursor.position();
      positions.add(last);
    }
    assertTrue(cursor.position() > last);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < positions.size(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(8));
    for (int index : order) {
      assertTrue(cursor.seek(positions.get(index)));
      assertEquals(trace.events.get(index), RandomTrace.at(cursor));
    }
    assertFalse(cursor.seek(last + (1 << 20)));
    assertTrue(cursor.seek(Long.MIN_VALUE));
    assertEquals(trace.events.get(0), RandomTrace.at(cursor));
  }

  @Test
  void anyPositionLeadsToTheEventThatHoldsItOrTheNext() throws Exception {
    RandomTrace trace = RandomTrace.write(directory, new Random(9), 300, 31);
    EventCursor all = cursor(trace, 0);
    List<long[]> spans = new ArrayList<>();  // position of an event, and of its last payload slot
    while (all.next()) {
      int escaped = all.operand() >= 0xFFFFF ? 1 : 0;
      spans.add(new long[] {all.position(), all.position() + all.payloadCount() + escaped});
    }
    EventCursor cursor = cursor(trace, 0);
    int expected = 0;
    for (long position = 0; position <= spans.get(spans.size() - 1)[1]; position++) {
      while (spans.get(expected)[1] < position) {
        expected++;
      }
      assertTrue(cursor.seek(position), "position " + position);
      assertEquals(spans.get(expected)[0], cursor.position(), "position " + position);
    }
  }

  @Test
  void seekTimeFindsWhatALinearScanFinds() throws Exception {
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      RandomTrace trace = RandomTrace.write(directory.resolve("time" + seed), random, 600,
          25 + random.nextInt(200));
      EventCursor cursor = cursor(trace, random.nextInt(3));
      List<Long> times = new ArrayList<>(List.of(Long.MIN_VALUE, 0L, Long.MAX_VALUE));
      trace.events.forEach(event -> times.addAll(List.of(event.ticks() - 1, event.ticks(),
          event.ticks() + 1)));
      for (long time : times) {
        int expected = 0;
        while (expected < trace.events.size() && trace.events.get(expected).ticks() < time) {
          expected++;
        }
        boolean found = cursor.seekTime(time);
        assertEquals(expected < trace.events.size(), found, "seed " + seed + " time " + time);
        if (found) {
          long position = cursor.position();
          assertEquals(trace.events.get(expected), RandomTrace.at(cursor));
          assertEquals(expected > 0, cursor.previous());
          if (expected > 0) {
            assertEquals(trace.events.get(expected - 1), RandomTrace.at(cursor));
          }
          assertTrue(cursor.next());
          assertEquals(position, cursor.position());
        }
      }
    }
  }

  @Test
  void aThreadWithoutEventsHasNone() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    builder.process("node1", "/opt/idle").thread(0);
    try (Trace trace = Trace.open(builder.write())) {
      EventCursor cursor = trace.processes().get(0).threads().get(0).cursor();
      assertFalse(cursor.next());
      assertFalse(cursor.previous());
      assertFalse(cursor.seekTime(0));
      assertFalse(cursor.seek(0));
    }
  }

  /** Of a random half of the blocks there are only zeros, wherever they stand. */
  @Test
  void skipsMissingBlocks() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      RandomTrace trace = RandomTrace.write(directory.resolve("holes" + seed), random, 300, 40);
      List<RandomTrace.Event> left = new ArrayList<>();
      BitSet missing = new BitSet();
      byte[] bytes = Files.readAllBytes(trace.file);
      for (int block = 0; block << EventFile.BLOCK_SHIFT < bytes.length; block++) {
        if (random.nextBoolean()) {
          missing.set(block);
        }
      }
      for (EventCursor all = cursor(trace, 3); all.next();) {
        if (!missing.get(all.block())) {
          left.add(RandomTrace.at(all));
        }
      }
      missing.stream().forEach(block -> Arrays.fill(bytes, block << EventFile.BLOCK_SHIFT,
          Math.min(bytes.length, block + 1 << EventFile.BLOCK_SHIFT), (byte) 0));
      Files.write(trace.file, bytes);
      EventCursor cursor = cursor(trace, 3);
      List<RandomTrace.Event> forward = new ArrayList<>();
      while (cursor.next()) {
        forward.add(RandomTrace.at(cursor));
      }
      assertEquals(left, forward, "seed " + seed);
      while (cursor.previous()) {
        assertEquals(forward.remove(forward.size() - 1), RandomTrace.at(cursor), "seed " + seed);
      }
      assertEquals(List.of(), forward, "seed " + seed);
      EventCursor fresh = cursor(trace, 3);
      for (RandomTrace.Event event : left) {
        assertTrue(fresh.seekTime(event.ticks()));
        assertEquals(left.stream().filter(each -> each.ticks() >= event.ticks()).findFirst().orElseThrow(),
            RandomTrace.at(fresh), "seed " + seed);
      }
    }
  }

  @Test
  void tellsTheBlockOfAnEvent() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory).blockSlots(4);
    builder.process("node1", "/opt/block").thread(0)
        .enter(10, "main/MPI_Send").lost(30, 5).leave(40).lostEvents(17).sample(50, "main");
    try (Trace trace = Trace.open(builder.write())) {
      ThreadTrace thread = trace.processes().get(0).threads().get(0);
      EventCursor cursor = thread.cursor();
      assertTrue(cursor.next() && cursor.next() && cursor.next());
      assertEquals(Kind.LEAVE, cursor.kind());
      assertEquals(1, cursor.block());
      assertEquals(40, cursor.blockBaseNs());
      assertEquals(35, cursor.blockCpuNs());
      assertEquals(cursor.operand(), cursor.blockOpenPath());
      assertTrue(cursor.next());
      assertEquals(17, cursor.blockLost());
      assertEquals(0, cursor.blockOpenPath());
      assertEquals(17, thread.lostCount());
    }
  }
}
