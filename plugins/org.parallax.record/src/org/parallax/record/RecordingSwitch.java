package org.parallax.record;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Pauses and resumes the recording of a run that was started with {@code --control}, in all of its processes on this
 * machine, also those that begin later. It is a part of the file {@code HOST.shared} of the trace, which the
 * processes have mapped (native/transport/shared_table.h).
 */
public final class RecordingSwitch {
  private static final String ENDING = ".shared";
  private static final int BEGIN = 64;
  private static final int AT_CHANGES = 0;
  private static final int AT_USED = 4;
  private static final int AT_TIMES = 8;
  /** How many times of changes are held. */
  private static final int HELD = 256;
  private static final int BYTES = AT_TIMES + HELD * Long.BYTES;
  private static final VarHandle INTEGER =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * What it says.
   *
   * @param isPaused whether nothing is recorded now
   * @param sinceNs for how long that has been so, 0 if it was so from the begin
   * @param pauses how many there were, the present one included
   */
  public record Status(boolean isPaused, long sinceNs, int pauses) {}

  private interface Use<T> {
    T of(ByteBuffer page);
  }

  private final Path trace;

  /** @param trace the directory of a trace */
  public RecordingSwitch(Path trace) {
    this.trace = trace;
  }

  /**
   * Pauses or resumes recording now.
   *
   * @return false if that was so before
   * @throws RecordException when the run cannot be controlled, or has ended
   */
  public boolean set(boolean pauses) throws RecordException {
    return with(true, page -> {
      int changes = (int) INTEGER.getAcquire(page, AT_CHANGES);
      if ((changes & 1) == (pauses ? 1 : 0)) {
        return false;
      }
      page.putLong(AT_TIMES + Integer.remainderUnsigned(changes, HELD) * Long.BYTES, System.nanoTime());
      INTEGER.setRelease(page, AT_CHANGES, changes + 1);
      return true;
    });
  }

  /** @throws RecordException when the run cannot be controlled, or has ended */
  public Status status() throws RecordException {
    return with(false, page -> {
      int changes = (int) INTEGER.getAcquire(page, AT_CHANGES);
      long last = changes == 0 ? 0
          : page.getLong(AT_TIMES + Integer.remainderUnsigned(changes - 1, HELD) * Long.BYTES);
      return new Status((changes & 1) == 1, changes == 0 ? 0 : System.nanoTime() - last, (changes + 1) >>> 1);
    });
  }

  /** @return whether the processes of the run look at the switch by now */
  public boolean isThere() {
    try {
      status();
      return true;
    } catch (RecordException e) {
      return false;
    }
  }

  private <T> T with(boolean changes, Use<T> use) throws RecordException {
    Path manifest = trace.resolve("manifest");
    String text;
    try {
      text = Files.readString(manifest);
    } catch (IOException e) {
      throw new RecordException(trace + " is no trace of a run; name the directory that parallax record -o has", e);
    }
    if (text.lines().noneMatch(line -> line.startsWith("control = "))) {
      throw new RecordException("the run " + trace + " cannot be paused; start it with: parallax record --control");
    }
    if (text.lines().anyMatch(line -> line.startsWith("ended = "))) {
      throw new RecordException("the run " + trace + " has ended; a run can be paused while its program runs");
    }
    Path file = trace.resolve(host() + ENDING);
    if (!Files.exists(file)) {
      throw new RecordException("no process of the run " + trace + " has begun on this machine (" + host()
          + "); wait for the program, or give the command on the machine on which it runs");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer page = channel.map(FileChannel.MapMode.READ_WRITE, BEGIN, BYTES).order(ByteOrder.LITTLE_ENDIAN);
      if ((int) INTEGER.getAcquire(page, AT_USED) == 0) {
        throw new RecordException("no process of the run " + trace + " can be paused yet; wait for the program");
      }
      if (!changes) {
        return use.of(page);
      }
      // Threads of one program cannot wait for each other by a lock of the file.
      synchronized (RecordingSwitch.class) {
        try (FileLock lock = channel.lock()) {
          return use.of(page);
        }
      }
    } catch (IOException e) {
      throw new RecordException("the run " + trace + " cannot be paused: " + e.getMessage(), e);
    }
  }

  /** As the names of files have it. */
  private static String host() throws RecordException {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().replaceAll("[^0-9A-Za-z-]", "_");
    } catch (IOException e) {
      throw new RecordException("the name of this machine cannot be read: " + e.getMessage(), e);
    }
  }
}
