package org.parallax.analysis.table;

import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramProcess;
import org.parallax.model.program.ProgramThread;
import org.parallax.trace.SyncObject;

/** How tables name parts of an application: as the figures of IPS-2 do. */
public final class Names {
  /** For a procedure that several processes executed. */
  public static final String ALL = "ALL:ALL";

  private Names() {}

  /** @return {@code signal 10 to 4711}, the process by its pid */
  public static String signal(SyncObject object) {
    return "signal " + (object.address() & 0xff) + " to " + (object.address() >>> 8);
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
