package org.parallax.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.parallax.trace.Finding.Severity;

/**
 * The definitions of a process under check. Beyond what {@link Definitions} checks to read them:
 * numbers are dense (but for objects, streams and files, of which a child of a fork defines what it
 * uses, under its parent's numbers) and mean one thing, references are defined, the unused rest of
 * the file is zero.
 */
final class CheckedProcess implements RecordReader.Visitor, Comparable<CheckedProcess> {
  private static final Map<Integer, String> NUMBERED = Map.of(Definitions.MODULE, "module",
      Definitions.REGION, "region", Definitions.CALL_PATH, "call path",
      Definitions.COMMUNICATOR, "communicator", Definitions.SYNC_OBJECT, "sync object",
      Definitions.METRIC, "metric", Definitions.STREAM, "stream", Definitions.FILE, "file");

  /** Higher ones are damage, which reading the definitions tells. */
  private static final int MAX_NUMBER = 1 << 26;

  private final int index;
  private final Definitions definitions;
  private final CallPaths paths;
  private final FindingList findings;
  private final Map<Integer, BitSet> defined = new HashMap<>();
  /** By type and number: a hash of the definition. */
  private final Map<Integer, int[]> contents = new HashMap<>();
  private final BitSet threads = new BitSet();
  private long recordCount;
  private long pendingCount;
  private boolean damaged;
  private long endOffset = RecordReader.FILE_HEADER_BYTES;

  private CheckedProcess(int index, Definitions definitions, FindingList findings) {
    this.index = index;
    this.definitions = definitions;
    this.paths = definitions.callPaths();
    this.findings = findings;
  }

  static CheckedProcess read(int index, Path file, FindingList findings)
      throws IOException {
    CheckedProcess process = new CheckedProcess(index, Definitions.read(file, findings),
        findings);
    RecordReader.read(file, process);
    process.checkWhole();
    return process;
  }

  @Override
  public void record(int type, ByteBuffer body, long byteOffset) {
    recordCount++;
    endOffset = byteOffset + RecordReader.RECORD_HEADER_BYTES + body.remaining();
    if (recordCount == 1 && type != Definitions.PROCESS) {
      findings.violation(file(), DamageSink.NONE, byteOffset, "order",
          "the first record has type " + type + ", expected " + Definitions.PROCESS
          + " (Process)", "The machine and the time of the process may be unknown");
    }
    if (type > Definitions.LAST_TYPE) {
      findings.add(Severity.WARNING, file(), DamageSink.NONE, byteOffset, "type",
          "a record has type " + type + ", which this version does not know",
          "The record is ignored: it comes from a later version, or is damaged", "");
    }
    if (NUMBERED.containsKey(type) && body.remaining() >= 4) {
      int number = body.getInt(body.position());
      BitSet numbers = defined.computeIfAbsent(type, missing -> new BitSet());
      if (number >= 0 && number < MAX_NUMBER) {
        int content = body.hashCode();
        if (!numbers.get(number)) {
          numbers.set(number);
          contentsUpTo(type, number)[number] = content;
        } else if (contents.get(type)[number] != content && type != Definitions.STREAM) {
          findings.violation(file(), DamageSink.NONE, byteOffset, "numbers", NUMBERED.get(type)
              + " " + number + " has two different definitions", "The later definition is used");
        }
      }
    }
  }

  private int[] contentsUpTo(int type, int number) {
    int[] known = contents.getOrDefault(type, new int[64]);
    if (number >= known.length) {
      known = Arrays.copyOf(known, Math.max(number + 1, 2 * known.length));
    }
    contents.put(type, known);
    return known;
  }

  @Override
  public void pending(long byteOffset) {
    pendingCount++;
  }

  @Override
  public void problem(long byteOffset, RecordReader.Fault fault, String fact, String loss) {
    damaged = true;  // reported when Definitions read the file
  }

  private void checkWhole() throws IOException {
    definitions.threads.forEach(thread -> threads.set(thread.id()));
    Losses losses = definitions.losses;
    if (losses.any()) {
      findings.add(Severity.WARNING, file(), "losses", losses.text() + " were lost",
          "They could not be recorded: " + losses.cause().text()
          + ". The time of a gap is attributed to the routine that was open before it",
          losses.cause().nextStep());
    }
    if (pendingCount > 0) {
      findings.add(Severity.INFO, file(), "pending", pendingCount
          + " records were incomplete when the process ended", "They are ignored", "");
    }
    checkDense(Definitions.MODULE, 0);
    checkDense(Definitions.REGION, 1);
    checkDense(Definitions.CALL_PATH, 1);
    checkDense(Definitions.METRIC, 1);
    for (int path = 1; path < paths.definedCount(); path++) {
      if (paths.isDefined(path)) {
        checkPath(path);
      }
    }
    if (!damaged) {
      checkRest();
    }
  }

  private void checkDense(int type, int first) {
    BitSet numbers = defined.getOrDefault(type, new BitSet());
    int missing = numbers.nextClearBit(first);
    if (missing < numbers.length()) {
      int count = numbers.length() - first - numbers.get(first, numbers.length()).cardinality();
      String fact = "of " + NUMBERED.get(type) + "s up to " + (numbers.length() - 1) + ", " + count
          + " are not defined, the first one is " + missing;
      boolean expected = pendingCount > 0 || isIncomplete();
      findings.add(expected ? Severity.INFO : Severity.WARNING, file(), "numbers", fact, expected
          ? "Their definitions were incomplete when the process ended, or are damaged"
          : "Events that use them have no name", "");
    }
  }

  private void checkPath(int path) {
    int parent = paths.parent(path);
    if (!paths.isDefined(parent) && !isIncomplete()) {
      findings.violation(file(), DamageSink.NONE, DamageSink.NONE, "references", "call path "
          + path + " has parent " + parent + ", which is not defined", "The callers are unknown");
    }
    long value = paths.value(path);
    if (paths.kind(path) == CallPaths.REGION && !isIncomplete()
        && (value > Integer.MAX_VALUE || definitions.regions.get((int) value) == null)) {
      findings.violation(file(), DamageSink.NONE, DamageSink.NONE, "references", "call path "
          + path + " ends in region " + Long.toUnsignedString(value) + ", which is not defined",
          "The routine has no name");
    }
  }

  /** Behind the last record there is nothing or reserved space. */
  private void checkRest() throws IOException {
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
      for (long at = endOffset; channel.read(bytes.clear(), at) > 0; at += bytes.limit()) {
        bytes.flip();
        while (bytes.hasRemaining()) {
          if (bytes.get() != 0) {
            // Pending records have a type of 0 and a size: their space is no rest.
            if (pendingCount == 0) {
              findings.damage(file(), DamageSink.NONE, at + bytes.position() - 1,
                  "there are bytes after the record of size 0, which ends the file",
                  "possible definitions after it");
            }
            return;
          }
        }
      }
    }
  }

  /** Tells when nothing is known of the process, whether or not its threads have files of events. */
  void reportBeginning(boolean hasEvents) {
    if (definitions.isUnbegun() && !hasEvents) {
      findings.add(Severity.INFO, file(), "begin", "there is no record", "The process was killed "
          + "before it wrote its first record; nothing is known about it", "");
    } else if (definitions.process == null) {
      findings.damage(file(), DamageSink.NONE, DamageSink.NONE, "there is no Process record",
          "this process: its events cannot be placed in time");
    }
  }

  /** The process left no end: what others know of it. */
  void reportEnd(ProcessEnds.Ending ending) {
    if (definitions.process == null || definitions.end != null) {
      return;
    }
    String meaning = switch (ending.reason()) {
      case KILLED -> "The process was killed by " + ProcessEnds.signalName(ending.status());
      case EXIT -> "The process exited with status " + ending.status()
          + ", according to the process that waited for it";
      case EXEC -> "The process executed another program without the agent";
      case SANDBOX -> "The process continued in a sandbox";
      case DETACHED -> "The process continued without recording";
      case UNTOLD -> "The process ended without notice to the agent, or was still running when the "
          + "run ended";
      case RUNNING -> "The process is running, or was killed with its recorder";
    };
    findings.add(ending.reason() == EndReason.KILLED ? Severity.WARNING : Severity.INFO, file(),
        "end", "there is no ProcessEnd record", meaning + "; its events are complete up to the "
        + "last one",
        "");
  }

  int index() {
    return index;
  }

  Path file() {
    return definitions.file;
  }

  Definitions definitions() {
    return definitions;
  }

  boolean isPause(int path) {
    return ProcessTrace.isPause(paths, path, definitions);
  }

  CallPaths paths() {
    return paths;
  }

  long recordCount() {
    return recordCount;
  }

  /** Whether missing definitions or events are to be expected, so that they are no violation. */
  boolean isIncomplete() {
    return damaged || definitions.end == null || definitions.process == null
        || definitions.losses.any();
  }

  boolean hasThread(long thread) {
    return thread >= 0 && thread < threads.length() && threads.get((int) thread);
  }

  SyncObject syncObject(int id) {
    return definitions.syncObjects.get(id);
  }

  Region region(int id) {
    return definitions.regions.get(id);
  }

  Metric metric(int id) {
    return definitions.metrics.get(id);
  }

  Stream stream(int id) {
    return definitions.streams.get(id);
  }

  String fileName(int id) {
    return definitions.files.get(id);
  }

  Communicator communicator(int id) {
    return definitions.communicators.get(id);
  }

  @Override
  public int compareTo(CheckedProcess other) {
    return Integer.compare(index, other.index);
  }
}
