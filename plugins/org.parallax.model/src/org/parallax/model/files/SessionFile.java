package org.parallax.model.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.trace.TraceException;

/**
 * Sessions as files: which runs are looked at together, in which mode, and with which commands the
 * active ones are run again. An XMI document with a line for each run, made for version control: paths
 * are relative to the file.
 */
public final class SessionFile {
  /** What the names of session files end with. */
  public static final String SUFFIX = ".parallax";

  private SessionFile() {}

  /** @return true if this is the name of a session file, whether there is one or not */
  public static boolean isNamed(Path file) {
    return file.getFileName() != null && file.getFileName().toString().endsWith(SUFFIX);
  }

  /**
   * Reads the runs of a session; no trace is opened.
   *
   * @throws TraceException when there is no such file, or no session in it, and where it is wrong
   */
  public static Session read(Path file) throws TraceException {
    if (!Files.exists(file)) {
      throw new TraceException("there is no session file " + file,
          "Create one: parallax session " + file + " --replay TRACE");
    }
    Session session = XmiFile.read(file, Session.class, "session",
        "parallax session FILE --replay TRACE");
    for (Run run : session.getRuns()) {
      boolean lacksCommand = run.getMode() == RunMode.ACTIVE && run.getCommand() == null;
      if (run.getName() == null || run.getTrace() == null || lacksCommand) {
        throw new TraceException("in the session file " + file + " the run "
            + (run.getName() == null ? "without a name" : run.getName()) + " has no "
            + (run.getName() == null ? "name" : run.getTrace() == null ? "trace" : "command"),
            "Add it as an attribute of the run");
      }
    }
    return session;
  }

  /** Writes the runs of a session, as a whole or not at all. */
  public static void write(Session session, Path file) throws IOException {
    XmiFile.write(session, file);
  }

  /** @return the trace directory of a run of a session that was read from a file */
  public static Path trace(Path file, Run run) {
    Path trace = file.resolveSibling(run.getTrace()).normalize();
    return trace.toString().isEmpty() ? Path.of(".") : trace;
  }

  /** @return the directory to which the paths of a session file are relative */
  public static Path directory(Path file) {
    return file.toAbsolutePath().normalize().getParent();
  }

  /** @return how a session file names a directory: relative to its own */
  public static String named(Path file, Path trace) {
    return directory(file).relativize(trace.toAbsolutePath().normalize()).toString();
  }
}
