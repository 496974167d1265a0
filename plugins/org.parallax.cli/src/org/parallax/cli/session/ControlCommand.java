package org.parallax.cli.session;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.Traces;
import org.parallax.cli.command.UsageException;
import org.parallax.record.RecordException;
import org.parallax.record.RecordingSwitch;

/** Pauses and resumes the recording of a run from outside. */
public final class ControlCommand implements Command {
  private static final double NS_PER_SECOND = 1e9;

  @Override
  public String name() {
    return "control";
  }

  @Override
  public String usage() {
    return "TRACE pause|resume|status";
  }

  @Override
  public String summary() {
    return "Pauses and resumes the recording of a program that runs";
  }

  @Override
  public String description() {
    return """

        The run must have been started with: parallax record --control. The switch holds for all of
        its processes on this machine, also for those that begin later. The time of a pause is shown
        as [not recorded]. status says whether recording is paused.""";
  }

  @Override
  public List<Option> options() {
    return List.of();
  }

  @Override
  public List<String> examples() {
    return List.of("parallax control run1 pause", "parallax control run1 resume", "parallax control run1 status");
  }

  @Override
  public int run(Arguments arguments, Console console) throws UsageException, CommandFailure {
    List<String> words = arguments.positional();
    Path trace = Traces.paths(words).get(0);
    if (words.size() != 2 || !List.of("pause", "resume", "status").contains(words.get(1))) {
      throw new UsageException("after the trace, name one of: pause, resume, status");
    }
    RecordingSwitch recording = new RecordingSwitch(trace);
    try {
      String word = words.get(1);
      boolean isNew = !word.equals("status") && recording.set(word.equals("pause"));
      RecordingSwitch.Status status = recording.status();
      console.out().println(text(status, !isNew));
      return 0;
    } catch (RecordException e) {
      throw new CommandFailure(e.getMessage());
    }
  }

  private static String text(RecordingSwitch.Status status, boolean withTime) {
    String text = status.isPaused() ? "paused" : "recording";
    if (withTime && status.pauses() > 0) {
      text += String.format(Locale.ROOT, " for %.1f s", status.sinceNs() / NS_PER_SECOND);
    }
    return text + (status.pauses() > 0 ? ", " + status.pauses() + (status.pauses() == 1 ? " pause" : " pauses") : "");
  }
}
