package org.parallax.analysis.replay;

import org.parallax.trace.EventCursor;

/** Replays the bytes that a thread gives to pipes and connections and takes from them. */
final class StreamReplay {
  /** What a pipe or connection takes at once that holds nothing. */
  private static final long PAGE_BYTES = 4096;

  private final ThreadReplay thread;
  private final EventCursor cursor;
  private final Shared shared;

  StreamReplay(ThreadReplay thread) {
    this.thread = thread;
    cursor = thread.cursor();
    shared = thread.replay().shared();
  }

  /**
   * The event stands at the end of the call, and the bytes were under way from its begin: a receiver
   * can have had the first of them long before.
   */
  void send() {
    long from = cursor.payload(0);
    long bytes = cursor.payload(1);
    if (bytes <= 0) {
      return;  // a close
    }
    int stream = shared.stream(thread.process(), cursor.operand());
    if (stream == Shared.NONE || shared.streamUsers(stream) < 2) {
      thread.usesOutside();
    }
    if (stream == Shared.NONE) {
      return;
    }
    thread.exchange().give(stream, from, from + bytes, thread.beginNs(), thread.beginLength(),
        thread.beginOfWait());
    if (thread.isInRoutine()) {
      thread.needs().addRoom(stream, bytes > PAGE_BYTES ? from + bytes : from, thread.beginNs(),
          thread.timeNs());
      thread.needs().describe(cursor.operand());
    }
  }

  void receive() {
    long from = cursor.payload(0);
    long bytes = cursor.payload(1);
    int stream = shared.stream(thread.process(), cursor.operand());
    if (bytes <= 0 || stream == Shared.NONE || shared.streamUsers(stream) < 2) {
      thread.usesOutside();
    }
    if (bytes <= 0 || stream == Shared.NONE) {
      return;  // the end
    }
    boolean lonely = shared.streamUsers(stream) < 2;
    if (!lonely || thread.replay().threadCount(thread.process()) > 1) {
      thread.needs().addBytes(stream, from, from + bytes);
      if (lonely) {
        thread.needs().makeOptional();
      }
      thread.needs().describe(cursor.operand());
    }
  }

  /** The call that ends waited until a byte was there, which the thread takes afterwards. */
  void awaitReady(int id, long from) {
    int stream = shared.stream(thread.process(), id);
    if (stream != Shared.NONE
        && (shared.streamUsers(stream) > 1 || thread.replay().threadCount(thread.process()) > 1)) {
      thread.needs().addReadyBytes(stream, from);
      thread.needs().describe(id);
    }
  }
}
