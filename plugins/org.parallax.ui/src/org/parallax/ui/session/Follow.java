package org.parallax.ui.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.parallax.record.Agent;
import org.parallax.record.RecordException;
import org.parallax.record.TraceWatch;
import org.parallax.trace.Manifest;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.InstalledAgent;

/**
 * Reads traces again while their programs run. It looks once a second at most whether events have come, which costs the
 * reading of what is new. If so, the traces are read again, and the views compute their results. The next look comes when
 * they have ended, and so much later that all of this takes a quarter of the time at most. Can be used from any thread.
 */
public final class Follow {
  private static final long LEAST_MS = 1000;
  private static final long POLL_MS = 50;
  /** The inverse of the part of the time that is spent at most. */
  private static final int SPARED = 4;
  private static final long NAMES_S = 60;

  private final OpenSession owner;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final LookJob job = new LookJob();
  private volatile boolean isOn;
  private volatile int updates;
  private volatile int searches;

  Follow(OpenSession owner) {
    this.owner = owner;
  }

  public boolean isOn() {
    return isOn;
  }

  /** Switches it for all traces that are open, and those that will be. */
  public void setOn(boolean on) {
    if (on != isOn) {
      isOn = on;
      if (on) {
        job.schedule();
      } else {
        job.cancel();
      }
      listeners.forEach(Runnable::run);
    }
  }

  /** @param listener called on the thread that switches it */
  public void addListener(Runnable listener) {
    listeners.add(listener);
  }

  public void removeListener(Runnable listener) {
    listeners.remove(listener);
  }

  /** How often traces were read again since the start. */
  public int updates() {
    return updates;
  }

  /** How often names of addresses were looked for since the start. */
  public int searches() {
    return searches;
  }

  /** Whether the program of a trace ran on when the trace was read, or its recorder was killed. */
  public static boolean isUnfinished(Trace trace) {
    Manifest manifest = trace.manifest();
    return !manifest.values().isEmpty() && !manifest.hasEnded();
  }

  /** What was known of a trace at the last look. */
  private static final class Watched {
    private final TraceWatch watch;
    private TraceWatch.Counts counts = TraceWatch.Counts.NONE;
    /** Those that have names by now, as far as names can be found. */
    private long namedAddresses;

    Watched(Path trace) {
      watch = new TraceWatch(trace);
    }

    /** Whether there is more than at the last look. */
    boolean hasMore() {
      TraceWatch.Counts now = watch.look();
      boolean more = !now.equals(counts);
      counts = now;
      return more;
    }

    /** Whether there are addresses for which names were not looked for yet; they count as named from now on. */
    boolean takeUnnamed() {
      long addresses = watch.addresses();
      boolean any = addresses != namedAddresses;
      namedAddresses = addresses;
      return any;
    }
  }

  private final class LookJob extends Job {
    private final Map<Path, Watched> watched = new HashMap<>();
    /** When the last update began that views still work on; 0 if there is none. */
    private long beganNs;

    LookJob() {
      super(Messages.followJob);
      setSystem(true);
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
      if (!isOn) {
        return Status.OK_STATUS;
      }
      boolean isBusy = Job.getJobManager().find(owner).length > 0;
      if (isBusy) {
        schedule(POLL_MS);
      } else if (beganNs != 0) {
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
        beganNs = 0;
        schedule(Math.max(LEAST_MS - tookMs, (SPARED - 1) * tookMs));
      } else {
        look();
      }
      return Status.OK_STATUS;
    }

    private void look() {
      List<Path> unfinished = owner.state().traces().stream().filter(Follow::isUnfinished)
          .map(Trace::directory).toList();
      watched.keySet().retainAll(unfinished);
      long beginNs = System.nanoTime();
      List<Path> grown = unfinished.stream().filter(trace -> hasEnded(trace)
          || watched.computeIfAbsent(trace, Watched::new).hasMore()).toList();
      if (grown.isEmpty()) {
        schedule(LEAST_MS);
        return;
      }
      beganNs = beginNs;
      grown.stream().filter(trace -> !hasEnded(trace) && watched.get(trace).takeUnnamed())
          .forEach(Follow.this::findNames);
      updates++;
      new RereadTracesJob(owner, grown).schedule();
      schedule(POLL_MS);
    }
  }

  private static boolean hasEnded(Path trace) {
    try {
      return Files.readAllLines(trace.resolve("manifest")).stream()
          .anyMatch(line -> line.startsWith("ended = "));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The recorder does that at the end of the program; until then, addresses have no names. If both look for them, one waits
   * for the other, and reads the trace afterwards.
   */
  private void findNames(Path trace) {
    try {
      Path tool = (Agent.isNamed() ? Agent.named() : InstalledAgent.find()).symbols();
      if (Files.isExecutable(tool)) {
        searches++;
        findNames(tool, trace);
      }
    } catch (IOException | RecordException e) {
      // Addresses are shown, as without names at the end of a run.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void findNames(Path tool, Path trace) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(tool.toString(), "--quiet", trace.toString())
        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    if (!process.waitFor(NAMES_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
