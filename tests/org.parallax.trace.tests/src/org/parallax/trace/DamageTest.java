package org.parallax.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/**
 * Traces that were cut off at any byte, or in which bytes were changed: readers end and do not
 * throw, and what is lost is told.
 */
@Timeout(300)
class DamageTest {
  @TempDir
  Path directory;

  private Path trace;
  private String soundText;
  private List<Finding> soundFindings;

  /** Two ranks, a second thread and several blocks in a few kilobytes of content. */
  @BeforeEach
  void writeTrace() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("trace")).blockSlots(24);
    builder.mpiJob("node1", "/opt/small", 2);
    for (int rank = 0; rank < 2; rank++) {
      TracedThread thread = builder.process(rank).thread(0).threadBegin(1, -1);
      for (int i = 0; i < 3; i++) {
        thread.sample(100 * i + 10, "main/work");
        if (rank == 0) {
          thread.send(100 * i + 20, 100 * i + 40, "main/MPI_Send", 1, 1, 5, 100);
        } else {
          thread.receive(100 * i + 15, 100 * i + 50, "main/MPI_Recv", 1, 0, 5, 100);
        }
        thread.collective(100 * i + 60, 100 * i + 90, "main/MPI_Bcast", 1, Collective.BCAST, 0, 8,
            8);
      }
      thread.threadEnd(500);
    }
    builder.process(1).thread(1).threadBegin(3, 0).sample(50, "main/helper").threadEnd(60);
    trace = builder.write();
    soundText = TraceDump.ofEvents(trace);
    TraceChecker.Result result = TraceChecker.check(trace);
    soundFindings = result.findings();
    assertEquals(List.of(), soundFindings);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(trace)) {
      return files.sorted().toList();
    }
  }

  /** Reads everything in every way; returns the canonical text, or why there is none. */
  private String readAll(String what) {
    try (Trace opened = Trace.open(trace)) {
      for (ProcessTrace process : opened.processes()) {
        assertTrue(process.name() != null && process.endReason() != null);
        process.endNs();
        CallPaths paths = process.callPaths();
        for (int path = 1; path < paths.count(); path++) {
          assertTrue(paths.parent(path) < path);
          opened.symbols().find(process, path);
        }
        for (ThreadTrace thread : process.threads()) {
          readAll(thread);
        }
      }
      assertTrue(opened.durationNs() >= 0 || opened.warnings().size() > 0);
      opened.warnings();
    } catch (TraceException e) {
      assertFalse(e.getMessage().isBlank());
    } catch (RuntimeException | Error e) {
      fail(what, e);
    }
    try {
      return TraceDump.ofEvents(trace);
    } catch (TraceException e) {
      return e.getMessage();
    } catch (IOException e) {
      return fail(what, e);
    }
  }

  private static void readAll(ThreadTrace thread) {
    EventCursor cursor = thread.cursor();
    List<Long> forward = new ArrayList<>();
    while (cursor.next()) {
      forward.add(cursor.position());
      cursor.operand();
      cursor.timeNs();
      for (int i = cursor.payloadCount(); i >= 0; i--) {
        cursor.payload(i);
      }
    }
    int index = forward.size();
    while (cursor.previous()) {
      assertEquals(forward.get(--index), cursor.position());
    }
    assertEquals(0, index);
    cursor.seekTime(thread.beginNs() + 100);
    thread.lostCount();
    thread.slotCount();
  }

  private boolean findingsDiffer(String what) {
    try {
      return !TraceChecker.check(trace).findings().equals(soundFindings);
    } catch (TraceException e) {
      return true;
    } catch (RuntimeException | Error e) {
      return fail(what, e);
    }
  }

  private boolean isError() {
    try {
      return !TraceChecker.check(trace).isSound();
    } catch (TraceException e) {
      return true;
    }
  }

  @Test
  void cutOffAtEveryByte() throws Exception {
    for (Path file : files()) {
      byte[] bytes = Files.readAllBytes(file);
      // The space between the slots of a block and the next block is empty: few cuts there do.
      for (int length = 0; length < bytes.length; length = nextCut(bytes, length)) {
        String what = file.getFileName() + " cut off at " + length;
        Files.write(file, Arrays.copyOf(bytes, length));
        boolean changed = !readAll(what).equals(soundText);
        boolean text = file.endsWith("manifest") || file.endsWith("symbols");
        if (changed && !text) {
          assertTrue(findingsDiffer(what), what + ": nothing was found");
        }
      }
      Files.write(file, bytes);
    }
  }

  private static int nextCut(byte[] bytes, int length) {
    int next = length + 1;
    while (next < bytes.length - 1 && bytes[next - 1] == 0 && bytes[next] == 0
        && next % 65536 > 260 && next % 65536 < 65530) {
      next++;
    }
    return next;
  }

  @Test
  void changedBytes() throws Exception {
    for (long seed = 0; seed < 1000; seed++) {
      Random random = new Random(seed);
      List<Path> files = files();
      Path file = files.get(random.nextInt(files.size()));
      byte[] bytes = Files.readAllBytes(file);
      byte[] changed = bytes.clone();
      StringBuilder what = new StringBuilder("seed " + seed + ": " + file.getFileName());
      for (int change = random.nextInt(3); change >= 0; change--) {
        int at = random.nextBoolean() ? random.nextInt(changed.length)
            : random.nextInt(Math.min(400, changed.length));
        changed[at] ^= (byte) (1 + random.nextInt(255));
        what.append(" ").append(at);
      }
      Files.write(file, changed);
      boolean different = !readAll(what.toString()).equals(soundText);
      boolean text = file.endsWith("manifest") || file.endsWith("symbols");
      if (different && !text) {
        assertTrue(findingsDiffer(what.toString()), what + ": nothing was found");
      }
      Files.write(file, bytes);
    }
  }

  @Test
  void aChangedByteInAClosedBlockIsAnError() throws Exception {
    Path file = files().stream().filter(path -> path.toString().endsWith("0.0.evt")).findFirst()
        .orElseThrow();
    byte[] bytes = Files.readAllBytes(file);
    for (int at = 0; at < 64 + 20 * 8; at++) {
      byte[] changed = bytes.clone();
      changed[at] ^= 0x55;
      Files.write(file, changed);
      assertNotEquals(soundText, readAll("byte " + at));
      assertTrue(isError(), "byte " + at);
    }
  }

  @Test
  void damageInABlockLosesThatBlock() throws Exception {
    Path file = files().stream().filter(path -> path.toString().endsWith("0.0.evt")).findFirst()
        .orElseThrow();
    byte[] bytes = Files.readAllBytes(file);
    assertTrue(bytes.length > 65536);
    bytes[65536 + 100] ^= 1;
    Files.write(file, bytes);
    try (Trace opened = Trace.open(trace)) {
      ThreadTrace thread = opened.processes().get(0).threads().get(0);
      assertEquals(List.of(), opened.warnings());
      List<Integer> blocks = new ArrayList<>();
      for (EventCursor cursor = thread.cursor(); cursor.next();) {
        if (!blocks.contains(cursor.block())) {
          blocks.add(cursor.block());
        }
      }
      assertFalse(blocks.contains(1));
      assertEquals(thread.blockCount() - 1, blocks.size());
      assertTrue(opened.warnings().get(0).contains("block 1: the checksum is"),
          () -> opened.warnings().toString());
    }
    Finding finding = TraceChecker.check(trace).findings().get(0);
    assertEquals(Finding.Severity.ERROR, finding.severity());
    assertEquals(1, finding.block());
    assertEquals(65536, finding.byteOffset());
  }

  /** A block is written with its header, and the machine ends meanwhile: zeros stand from some slot on. */
  @Test
  void aTornBlockHasTheEventsBeforeTheTear() throws Exception {
    Path file = files().stream().filter(path -> path.toString().endsWith("0.0.evt")).findFirst().orElseThrow();
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer block = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int used = block.getInt(EventFile.BLOCK_BYTES + EventFile.AT_USED);
    int first = EventFile.BLOCK_BYTES + EventFile.HEADER_BYTES;
    List<Integer> events = new ArrayList<>();  // the slots of the block at which they begin
    for (int slot = 0; slot < used; slot++) {
      if (block.getLong(first + slot * 8) > 0) {
        events.add(slot);
      }
    }
    assertTrue(events.size() > 3 && events.size() < used);
    int others;
    try (Trace sound = Trace.open(trace)) {
      others = events(sound, false);
    }
    for (int cut = 0; cut < used; cut++) {
      byte[] torn = bytes.clone();
      Arrays.fill(torn, first + cut * 8, first + used * 8, (byte) 0);
      Files.write(file, torn);
      Files.setLastModifiedTime(file, FileTime.fromMillis(0));  // nobody writes it any more
      int whole = 0;
      while (whole < events.size() && (whole + 1 < events.size() ? events.get(whole + 1) : used) <= cut) {
        whole++;
      }
      try (Trace opened = Trace.open(trace)) {
        int found = events(opened, true);
        // An event can have more payload than it must have: that it was longer cannot be seen.
        assertTrue(found == whole || found == whole + 1, "cut " + cut + ": " + found + " of " + whole);
        assertEquals(others, events(opened, false));
        String told = "block 1: the checksum is wrong, and slot " + cut + " of the " + used;
        assertTrue(opened.warnings().stream().anyMatch(each -> each.contains(told)), () -> opened.warnings().toString());
      }
      assertTrue(isError(), "cut " + cut);
    }
  }

  /** A reader of a running program looks at a block while the writer puts it, with its header, into the file. */
  @Test
  void aBlockThatIsBeingWrittenIsNoDamage() throws Exception {
    Path file = files().stream().filter(path -> path.toString().endsWith("0.0.evt")).findFirst().orElseThrow();
    byte[] bytes = Files.readAllBytes(file);
    int tear = EventFile.BLOCK_BYTES + EventFile.HEADER_BYTES + 8;
    byte[] torn = bytes.clone();
    Arrays.fill(torn, tear, torn.length, (byte) 0);
    Files.write(file, torn);
    Thread reader = Thread.currentThread();
    Thread writer = new Thread(() -> {
      while (reader.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(bytes, tear, bytes.length - tear), tear);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    writer.setDaemon(true);
    try (Trace opened = Trace.open(trace)) {
      writer.start();
      int found = events(opened, true);
      assertFalse(opened.isDamaged(), () -> opened.warnings().toString());
      assertTrue(found > 3);
    }
  }

  /** Of the first thread: those of block 1, or those of the others. */
  private static int events(Trace trace, boolean ofBlock1) {
    int count = 0;
    for (EventCursor cursor = trace.processes().get(0).threads().get(0).cursor(); cursor.next();) {
      count += (cursor.block() == 1) == ofBlock1 ? 1 : 0;
    }
    return count;
  }

  /** What could not be written is told once: by the losses, or else by the blocks that are not there. */
  @Test
  void missingBlocksAreTold() throws Exception {
    trace = Goldens.trace("holes");
    List<String> told = TraceChecker.check(trace).findings().stream().filter(finding -> finding.fact().contains("blocks of events are missing"))
        .map(finding -> finding.severity() + " " + finding.fact()).sorted().toList();
    assertEquals(List.of("WARNING 1 blocks of events are missing, the first is block 0",
        "WARNING 2 blocks of events are missing, the first is block 1"), told);
    try (Trace opened = Trace.open(trace)) {
      List<String> warnings = opened.warnings();
      assertEquals(2, warnings.stream().filter(each -> each.contains("blocks of events are missing")).count(),
          warnings::toString);
      assertEquals(1, warnings.stream().filter(each -> each.contains("2 events were lost between")).count(),
          warnings::toString);
    }
  }

  /** Blocks are written at once, and the process is killed before the header of the first one follows. */
  @Test
  void anUnfinishedWriteIsNoDamage() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("unfinished")).blockSlots(24);
    TracedThread thread = builder.process("node1", "/opt/small").setting("transport", "async:1M").thread(0)
        .threadBegin(1, -1);
    for (int i = 0; i < 100; i++) {
      thread.sample(100 * i + 10, "main/work");
    }
    trace = builder.write();
    Path file = files().stream().filter(path -> path.toString().endsWith("0.0.evt")).findFirst().orElseThrow();
    byte[] bytes = Files.readAllBytes(file);
    assertTrue(bytes.length > 2 << EventFile.BLOCK_SHIFT);
    bytes[(2 << EventFile.BLOCK_SHIFT) + 100] ^= 1;
    Files.write(file, bytes);
    assertTrue(isError());
    Arrays.fill(bytes, 1 << EventFile.BLOCK_SHIFT, (1 << EventFile.BLOCK_SHIFT) + EventFile.HEADER_BYTES, (byte) 0);
    Files.write(file, bytes);
    assertTrue(isError(), "the process has ended in order");
    Path definitions = files().stream().filter(path -> path.toString().endsWith("0.def")).findFirst().orElseThrow();
    byte[] records = Files.readAllBytes(definitions);
    Files.write(definitions, Arrays.copyOf(records, endOfProcess(records)));
    assertFalse(isError(), () -> findings().toString());
    assertTrue(findings().stream().anyMatch(finding -> finding.fact().contains("has no header yet")));
    try (Trace opened = Trace.open(trace)) {
      assertEquals(1, opened.processes().get(0).threads().get(0).blockCount());
    }
  }

  private List<Finding> findings() {
    try {
      return TraceChecker.check(trace).findings();
    } catch (TraceException e) {
      return fail(e);
    }
  }

  /** Where the ProcessEnd record begins. */
  private static int endOfProcess(byte[] definitions) {
    ByteBuffer records = ByteBuffer.wrap(definitions).order(ByteOrder.LITTLE_ENDIAN);
    int at = RecordReader.FILE_HEADER_BYTES;
    while (records.getShort(at + 4) != Definitions.PROCESS_END) {
      at += records.getInt(at);
    }
    return at;
  }

  /** The first block of thread 1 stands in the definitions file, the others in its own. */
  @Test
  void aMissingFileOfEventsIsTold() throws Exception {
    trace = Goldens.copy(Goldens.all().stream().filter(path -> path.endsWith("small")).findAny()
        .orElseThrow(), directory.resolve("small"));
    assertFalse(tellsMissingEvents(), "whole");
    Files.delete(trace.resolve("corner-1.900.0.1.evt"));
    assertTrue(tellsMissingEvents(), "without its file");
    try (Trace opened = Trace.open(trace)) {
      assertTrue(String.join("\n", opened.warnings()).contains("the event file corner-1.900.0.1.evt is missing"));
    }
  }

  private boolean tellsMissingEvents() throws Exception {
    return TraceChecker.check(trace).findings().stream()
        .anyMatch(finding -> finding.toString().contains("the event file corner-1.900.0.1.evt is missing"));
  }

  @Test
  void damagedGoldensAreRead() throws Exception {
    for (Path golden : Goldens.all()) {
      for (int seed = 0; seed < 30; seed++) {
        Random random = new Random(seed);
        trace = Goldens.copy(golden, directory.resolve(golden.getFileName() + "-" + seed));
        List<Path> files = files();
        Path file = files.get(random.nextInt(files.size()));
        byte[] bytes = Files.readAllBytes(file);
        for (int change = 0; change < 8 && bytes.length > 0; change++) {
          bytes[random.nextInt(Math.min(bytes.length, 1000))] = (byte) random.nextInt();
        }
        Files.write(file, bytes);
        readAll(golden.getFileName() + " seed " + seed);
        findingsDiffer(golden.getFileName() + " seed " + seed);
      }
    }
  }
}
