package org.parallax.trace;

/** A thread of a process and its events. */
public final class ThreadTrace {
  /** In the flags of a Thread record. */
  static final int RUNTIME_THREAD = 1;

  private final ProcessTrace process;
  private final int id;
  private final int kernelTid;
  private final int creator;
  private final int flags;
  private final String name;
  private final long definedTicks;
  private final EventFile file;
  private final MachineClock clock;
  private final long cpuTickNs;
  /** Null where times are those of the machine's clock. */
  private final TimeMap corrections;
  /** Found when first asked for: reading the last block of every thread would slow opening. */
  private volatile long[] bounds;
  private volatile TimeMap bothCorrections;
  private volatile long lostCount = -1;
  private volatile int missingCount = -1;

  ThreadTrace(ProcessTrace process, int id, int kernelTid, int creator, int flags, String name,
      long definedTicks, EventFile file, MachineClock clock, TimeMap corrections, long cpuTickNs) {
    this.process = process;
    this.id = id;
    this.kernelTid = kernelTid;
    this.creator = creator;
    this.flags = flags;
    this.name = name;
    this.definedTicks = definedTicks;
    this.file = file;
    this.clock = clock;
    this.corrections = corrections;
    this.cpuTickNs = cpuTickNs;
  }

  /** The same thread, in a process that is {@link ProcessTrace#placed elsewhere}. */
  ThreadTrace placed(ProcessTrace place, TimeMap newCorrections) {
    return new ThreadTrace(place, id, kernelTid, creator, flags, name, definedTicks, file,
        place.clock(), newCorrections, cpuTickNs);
  }

  /** How the times by the machine's clock are corrected, or null. */
  public TimeMap corrections() {
    return corrections;
  }

  /** Those of the machine's clock, too: cursors read ticks. */
  TimeMap allCorrections() {
    if (corrections == null || clock.offsets() == null) {
      return corrections == null ? clock.offsets() : corrections;
    }
    TimeMap all = bothCorrections;
    if (all == null) {
      all = clock.offsets().then(corrections);
      bothCorrections = all;
    }
    return all;
  }

  private long timeNs(long ticks) {
    long ns = clock.timeNs(ticks);
    return corrections == null ? ns : corrections.at(ns);
  }

  /** The process of this thread. */
  public ProcessTrace process() {
    return process;
  }

  /** The thread's number in its process; 0 is the main thread. */
  public int id() {
    return id;
  }

  /** The operating system's number of the thread, 0 when unknown. */
  public int kernelTid() {
    return kernelTid;
  }

  /** The number of the thread that created this one, -1 when there is none or it is unknown. */
  public int creator() {
    return creator;
  }

  /** The thread's name, or a standard one. */
  public String name() {
    return name;
  }

  /** The flags of the Thread record. */
  public int flags() {
    return flags;
  }

  /** Whether this is a thread of a runtime library, whose events are not recorded. */
  public boolean isRuntimeThread() {
    return (flags & RUNTIME_THREAD) != 0;
  }

  /** Whether there are blocks of events; a thread can be defined and have none. */
  public boolean hasEventFile() {
    return file != null;
  }

  /**
   * What the thread did before the first event that is kept ({@code record --keep-last}); the time before is shown as a
   * pause.
   *
   * @return null if all its events are kept
   */
  public KeptState kept() {
    return file == null ? null : file.kept();
  }

  /** From when on all events of the thread are there: of one with {@link #kept}. */
  public long keptFromNs() {
    return timeNs(file.kept().ticks());
  }

  /**
   * The time of the first event. Where there is none, when the thread was defined. The first call
   * reads a block.
   */
  public long beginNs() {
    return bounds()[0];
  }

  /** The time of the last event, or {@link #beginNs} where there is none. */
  public long endNs() {
    return bounds()[1];
  }

  private long[] bounds() {
    long[] found = bounds;
    if (found == null) {
      EventCursor cursor = cursor();
      long begin = cursor.next() ? cursor.timeNs() : timeNs(definedTicks);
      cursor.end();
      found = new long[] {begin, cursor.previous() ? cursor.timeNs() : begin};
      bounds = found;
    }
    return found;
  }

  /**
   * The number of slots, payload included, as far as it can be told without reading every block:
   * all blocks but the first and the last are taken for full. Of use for progress and for choosing a scale.
   */
  public long slotCount() {
    int blocks = blockCount();
    if (blocks == 0) {
      return 0;
    }
    long slots = file.usedSlots(blocks - 1);
    if (blocks > 1) {
      slots += file.usedSlots(0) + (blocks - 2L) * EventFile.BLOCK_SLOTS;
    }
    return slots;
  }

  /** Blocks in the file, damaged and missing ones included and reserved ones that were never begun left out. */
  public int blockCount() {
    return file == null ? 0 : file.blockCount();
  }

  /** The size of the blocks when they were opened. */
  public long sizeBytes() {
    return file == null ? 0 : file.sizeBytes();
  }

  /** Events that could not be written. The first call reads the header of every block. */
  public long lostCount() {
    long lost = lostCount;
    if (lost < 0) {
      lost = 0;
      for (int block = 0; block < blockCount(); block++) {
        if (file.hasHeader(block)) {
          lost += file.lost(block);
        }
      }
      lostCount = lost;
    }
    return lost;
  }

  /**
   * Blocks between others, or before them, that are not in the file: they could not be written, or were lost with what
   * should have written them. The first call reads the header of every block.
   */
  public int missingBlockCount() {
    int missing = missingCount;
    if (missing < 0) {
      missing = 0;
      for (int block = 0; block < blockCount(); block++) {
        missing += file.isMissing(block) ? 1 : 0;
      }
      missingCount = missing;
    }
    return missing;
  }

  /** Whether the last block is still open: the thread is live, or its process was killed. */
  public boolean isUnclosed() {
    int blocks = blockCount();
    return blocks > 0 && !file.isClosed(blocks - 1);
  }

  /** A new cursor before the first event. */
  public EventCursor cursor() {
    return new EventCursor(file, clock, allCorrections(), cpuTickNs);
  }

  EventFile file() {
    return file;
  }

  long cpuTickNs() {
    return cpuTickNs;
  }

  @Override
  public String toString() {
    return process.name() + " " + name;
  }
}
