package org.parallax.record.formats;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.parallax.record.CodeTool;
import org.parallax.record.RecordException;
import org.parallax.trace.ClockFile;
import org.parallax.trace.Kind;
import org.parallax.trace.MachineClock;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** Writes traces as archives of OTF2, with the native program {@code parallax-otf2} and the clocks of the reports. */
public final class Otf2Writer {
  private final CodeTool.Place place;

  /** @param place is asked when an archive has to be written */
  public Otf2Writer(CodeTool.Place place) {
    this.place = place;
  }

  /**
   * Writes all of a trace.
   *
   * @param directory of the archive, which is created; its anchor file is {@code traces.otf2}
   * @param progress told of the work; may cancel
   * @return the kinds of events that have no records in the archive, and what else is missing, as sentences without an end
   * @throws TraceException when the archive cannot be written, or the program cannot be started
   */
  public List<String> write(Trace trace, Path directory, Progress progress) throws TraceException {
    List<String> command = new ArrayList<>();
    try {
      command.addAll(List.of(place.find().otf2().toString(), "export", "--progress"));
    } catch (RecordException e) {
      throw missing(e);
    }
    command.addAll(List.of("--epoch", Long.toString(trace.epochNs())));
    for (MachineClock clock : trace.clocks()) {
      command.addAll(List.of("--clock", clock.numbers() + ":" + clock.host()));
    }
    List<String> leftOut = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    try {
      Path corrections = Files.createTempFile("parallax-clocks", null);
      try {
        if (ClockFile.writeAll(trace, corrections)) {
          command.addAll(List.of("--corrections", corrections.toString()));
        }
        command.addAll(List.of(trace.files().toString(), directory.toString()));
        NativeImport.run(command, progress, line -> read(line, leftOut, notes));
      } finally {
        Files.delete(corrections);
      }
    } catch (IOException e) {
      throw missing(e);
    }
    if (!leftOut.isEmpty()) {
      notes.add(0, "the archive has no records for these events: " + String.join(", ", leftOut));
    }
    return notes;
  }

  private static void read(String line, List<String> leftOut, List<String> notes) {
    String[] fields = line.split("\t");
    if (fields[0].equals("event") && fields.length == 4 && !fields[3].equals("0")) {
      leftOut.add(Kind.name(Integer.parseInt(fields[1])) + " " + fields[3]
          + (fields[2].equals(fields[3]) ? "" : " of " + fields[2]));
    } else if (fields[0].equals("note") && fields.length == 2) {
      notes.add(fields[1]);
    }
  }

  private static TraceException missing(Exception cause) {
    return new TraceException("an archive of OTF2 cannot be written: parallax-otf2 cannot be started",
        "Install Debian's libotf2-trace-dev, then run: parallax setup", cause);
  }
}
