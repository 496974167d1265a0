package org.parallax.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.osgi.util.NLS;
import org.parallax.record.ArrivalRates;
import org.parallax.record.LaunchRun;
import org.parallax.record.RecordException;
import org.parallax.record.Recording;
import org.parallax.record.RecordingSwitch;
import org.parallax.record.TraceWatch;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.platform.Background;
import org.parallax.ui.session.OpenRun;
import org.parallax.ui.session.OpenSession;

/**
 * A launch that is recorded, or was: what has arrived of it by now. Its job changes it; it can be
 * read from any thread.
 */
public final class Measurement {
  /** How far it is. */
  public enum State {
    RUNNING, STOPPING, DONE, STOPPED, FAILED
  }

  private final String series;
  private final LaunchRun run;
  private final MeasurementProcess whole;
  private final ArrivalRates rates = new ArrivalRates();
  private volatile TraceWatch.Counts counts = TraceWatch.Counts.NONE;
  private volatile long elapsedNs;
  private volatile boolean hasEnded;
  private volatile int exitStatus;
  private volatile String failure = "";
  private volatile List<Path> traces = List.of();
  private volatile boolean canPause;
  private volatile boolean isPaused;
  /** Whether its programs ran before it, and run on after it. */
  private volatile boolean goesOn;

  /** @param series equal for the launches of one configuration */
  Measurement(String series, LaunchRun run, MeasurementProcess whole) {
    this.series = series;
    this.run = run;
    this.whole = whole;
  }

  /** That of the directory that the launch has made, which no other has. */
  public String name() {
    return String.valueOf(run.directory().getFileName());
  }

  public LaunchRun run() {
    return run;
  }

  public State state() {
    if (!hasEnded) {
      return run.isStopped() ? State.STOPPING : State.RUNNING;
    }
    return !failure.isEmpty() ? State.FAILED : run.isStopped() ? State.STOPPED : State.DONE;
  }

  /** The state as it is told: which repetition runs, with which status programs have ended. */
  public String stateText() {
    int repetitions = run.plan().repetitions();
    return switch (state()) {
      case RUNNING -> isPaused ? Messages.statePaused : repetitions == 1 ? Messages.stateRunning
          : NLS.bind(Messages.stateRunningOf, run.repetition(), repetitions);
      case STOPPING -> isAttached() ? Messages.stateDetaching : Messages.stateStopping;
      case STOPPED -> goesOn ? Messages.stateDetached : Messages.stateStopped;
      case FAILED -> Messages.stateFailed;
      case DONE -> goesOn ? Messages.stateDetached : exitStatus == 0 ? Messages.stateDone
          : NLS.bind(Messages.stateExit, exitStatus);
    };
  }

  /** Whether it records programs that ran before: they go on when it ends. */
  public boolean isAttached() {
    return run.plan().isAttached();
  }

  /** What has arrived by now, and for how long it has run. */
  String arrivedText() {
    return NLS.bind(Messages.arrived, new Object[] {Quantities.count(counts.events()),
        Quantities.bytes(counts.bytes()), counts.processes(), counts.threads(),
        Quantities.seconds(elapsedNs)});
  }

  /** All of it in a line. */
  public String statusText() {
    String text = NLS.bind(Messages.status, new Object[] {name(), stateText(), arrivedText()});
    return isAttached() && !hasEnded ? NLS.bind(Messages.statusHint, text) : text;
  }

  public boolean hasEnded() {
    return hasEnded;
  }

  /** Why it failed; empty if it did not. */
  public String failure() {
    return failure;
  }

  /** Since it was begun, until it has ended. */
  public long elapsedNs() {
    return elapsedNs;
  }

  public TraceWatch.Counts counts() {
    return counts;
  }

  public ArrivalRates rates() {
    return rates;
  }

  /** What was recorded, once it has ended; some may have been deleted since. */
  public List<Path> traces() {
    return traces;
  }

  /** Those of its traces that are there no more; looks at files. */
  public List<Path> missing() {
    return traces.stream().filter(trace -> !Files.isDirectory(trace)).toList();
  }

  /** Opens what was recorded, in the perspective; on the UI thread, returns at once. */
  public void open() {
    Set<Path> without = new HashSet<>(run.traces());
    without.removeAll(traces);
    TraceOpening.open(List.of(run.result()), new OpenRun.Series(series, name(),
        LaunchingPreferences.formerRuns(), without));
  }

  /** Whether its programs run and have begun, so that their traces can be opened. */
  public boolean canFollow() {
    return state() == State.RUNNING && counts.processes() > 0;
  }

  /** Opens what is there by now, and has the views follow it; on the UI thread, returns at once. */
  public void follow() {
    OpenSession.current().follow().setOn(true);
    TraceOpening.open(run.running().stream().map(Recording::trace).toList(),
        new OpenRun.Series(series, name(), LaunchingPreferences.formerRuns(), Set.of()));
  }

  /** Ends what runs, in the background; a second time, without waiting for names of functions. */
  public void stop() {
    if (!hasEnded && state() == State.STOPPING) {
      Background.run("end of " + name(), () -> run.running().forEach(Recording::kill));
    } else if (!hasEnded) {
      whole.terminate();
      Measurements.get().changed();
    }
  }

  /** Whether recording can be paused now: the launch says so, and its programs have begun. */
  public boolean canPause() {
    return canPause && state() == State.RUNNING;
  }

  /** Whether nothing is recorded now, in all programs that run. */
  public boolean isPaused() {
    return isPaused && state() == State.RUNNING;
  }

  /** Pauses or resumes the recording of all programs that run, in the background. */
  public void setPaused(boolean pauses) {
    Background.run("switch of " + name(), () -> {
      for (Recording each : run.running()) {
        try {
          new RecordingSwitch(each.trace()).set(pauses);
        } catch (RecordException e) {
          // It has not begun yet, or has just ended.
        }
      }
      lookAtSwitches();
      Measurements.get().changed();
    });
  }

  private void lookAtSwitches() {
    int recorded = 0;
    int paused = 0;
    for (Recording each : run.running()) {
      try {
        paused += new RecordingSwitch(each.trace()).status().isPaused() ? 1 : 0;
        recorded++;
      } catch (RecordException e) {
        // It has not begun yet, cannot be paused, or has just ended.
      }
    }
    canPause = recorded > 0;
    isPaused = recorded > 0 && paused == recorded;
  }

  void arrived(long ns, TraceWatch.Counts now) {
    lookAtSwitches();
    elapsedNs = ns;
    counts = now;
    rates.add(ns, now);
    whole.arrived(now);
    Measurements.get().changed();
  }

  /** @param error empty if there was none */
  void ended(int status, String error, List<Path> recorded) {
    exitStatus = status;
    failure = error;
    goesOn = run.plan().applications().stream().flatMap(each -> each.attached().stream())
        .anyMatch(pid -> ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
    traces = List.copyOf(recorded);
    hasEnded = true;
    Measurements.get().changed();
  }
}
