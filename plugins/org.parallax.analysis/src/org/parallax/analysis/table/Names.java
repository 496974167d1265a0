package org.parallax.analysis.table;

import java.util.Locale;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramProcess;
import org.parallax.model.program.ProgramThread;
import org.parallax.trace.SyncObject;

/** How tables name parts of an application: as the figures of IPS-2 do. */
public final class Names {
  /** For a procedure that several processes executed. */
  public static final String ALL = "ALL:ALL";

  // Bits in the address of an object.
  private static final long OF_THREAD = 1L << 48;
  private static final long OF_GROUP = 1L << 49;
  private static final long OF_ZERO = 1L << 48;
  private static final long SYSTEM_V = 1L << 48;

  private Names() {}

  /**
   * @return {@code signal 10 to 4711}, the process (or thread, or group) by its id; {@code eventfd 12}, or any other object of the kernel by its
   *     number; else {@code mutex 0x7f12}, with its address
   */
  public static String object(SyncObject object) {
    String kind = object.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    long address = object.address();
    return switch (object.kind()) {
      case SIGNAL -> "signal " + (address & 0xff) + " to "
          + ((address & OF_THREAD) != 0 ? "thread " : (address & OF_GROUP) != 0 ? "group " : "")
          + ((address & ~(OF_THREAD | OF_GROUP)) >>> 8);
      case EVENTFD -> kind + " " + address;
      case SYSTEM_V_SEMAPHORE -> "semaphore " + (address >>> 16 & 0xffffffffL) + "[" + (address & 0xffff) + "]"
          + ((address & OF_ZERO) != 0 ? " at zero" : "");
      case MESSAGE_QUEUE, QUEUE_ROOM -> (address & SYSTEM_V) != 0 ? "message queue " + (address & 0xffffffffL)
          : "message queue of POSIX";
      case FILE_LOCK -> "lock of inode " + address;
      case TIMER, EVENT_SOURCE -> kind;
      default -> kind + " 0x" + Long.toHexString(address);
    };
  }

  /** @return {@code host:process}, with the thread where the process has several */
  public static String where(ProgramThread thread, Level level) {
    String host = thread.getProcess().getMachine().getHost();
    return switch (level) {
      case WORKLOAD, APPLICATION -> thread.getProcess().getApplication().getName();
      case MACHINE -> host;
      case PROCESS, PROCEDURE -> host + ":" + process(thread.getProcess());
      case THREAD, EXTERNAL -> host + ":" + process(thread.getProcess())
          + (thread.getProcess().getThreads().size() > 1 || thread.getProcess().isThreadsNamed()
              ? ":" + thread.getName() : "");
    };
  }

  /** Names are unique in an application; that of another one is told where it does not show. */
  private static String process(ProgramProcess process) {
    String application = process.getApplication().getName();
    boolean shows = !process.getApplication().isOneOfSeveral()
        || process.getName().startsWith(application);
    return shows ? process.getName() : application + ": " + process.getName();
  }

  /** @return the model's object of a thread at a level */
  public static Object subject(ProgramThread thread, Level level) {
    return switch (level) {
      case WORKLOAD, APPLICATION -> thread.getProcess().getApplication();
      case MACHINE -> thread.getProcess().getMachine();
      case PROCESS -> thread.getProcess();
      case THREAD, PROCEDURE, EXTERNAL -> thread;
    };
  }
}
