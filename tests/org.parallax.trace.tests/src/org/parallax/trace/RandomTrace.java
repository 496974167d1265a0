package org.parallax.trace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** A thread with random events, kept beside the file as what a reader must find. */
final class RandomTrace {
  /** An event as it was written. */
  record Event(long ticks, int kind, int operand, List<Long> payload) {
  }

  final List<Event> events = new ArrayList<>();
  final Path file;

  private RandomTrace(Path file) {
    this.file = file;
  }

  /** Few slots a block make many blocks; times repeat often; some operands need the escape. */
  static RandomTrace write(Path directory, Random random, int count, int blockSlots) {
    TraceBuilder builder = new TraceBuilder(directory).blockSlots(blockSlots);
    TracedThread thread = builder.process("node1", "/opt/random").thread(0);
    RandomTrace trace = new RandomTrace(thread.file());
    long ns = 0;
    for (int i = 0; i < count; i++) {
      ns += random.nextInt(3) == 0 ? random.nextInt(1000) : 0;
      if (random.nextInt(200) == 0) {
        ns += 1L << 37;  // does not fit into a slot: begins a block
      }
      int kind = 1 + random.nextInt(Kind.COUNT - 1);
      int operand = random.nextInt(10) == 0 ? 0xFFFFF + random.nextInt(1000) : random.nextInt(1000);
      long[] payload = new long[Kind.minimumPayload(kind) + random.nextInt(2)];
      List<Long> values = new ArrayList<>();
      for (int p = 0; p < payload.length; p++) {
        payload[p] = random.nextBoolean() ? random.nextLong() & Long.MAX_VALUE : random.nextInt(3);
        values.add(payload[p]);
      }
      thread.event(ns, kind, operand, payload);
      trace.events.add(new Event(builder.ticks(ns), kind, operand, values));
    }
    builder.write();
    return trace;
  }

  /** The event at which the cursor stands. */
  static Event at(EventCursor cursor) {
    List<Long> payload = new ArrayList<>();
    for (int i = 0; i < cursor.payloadCount(); i++) {
      payload.add(cursor.payload(i));
    }
    return new Event(cursor.ticks(), cursor.kind(), cursor.operand(), payload);
  }
}
