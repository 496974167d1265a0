package org.parallax.analysis.intrusion;

import org.parallax.trace.Manifest;

/**
 * What parts of the agent's work take, in nanoseconds: measured on the recording host before the run, and
 * else typical ones.
 *
 * @param isCalibrated whether all of these were measured
 * @param pair an Enter and a Leave without a walk of the stack
 * @param path the call path of an Enter whose frames are those of the call before
 * @param frame each other frame of it
 * @param payload an event inside of a call
 * @param instant an event outside of calls
 * @param counted a call that is only counted
 * @param cpu a Cpu event
 * @param refill what the first call after a wait for a processor takes longer, because other threads have used the
 *     caches
 * @param sample the signal, the walk and the event
 * @param block a new block beyond the events in it
 * @param thread start and end of a thread
 * @param process start and end of a process
 * @param module a further program or library that a process has loaded
 */
public record MeasuringCosts(boolean isCalibrated, double pair, double path, double frame, double payload,
    double instant, double counted, double cpu, double refill, double sample, double block, double thread,
    double process, double module) {
  /** Costs on a machine of 2023 with 2.6 GHz, from {@code parallax bench agent}. */
  public static final MeasuringCosts TYPICAL =
      new MeasuringCosts(false, 18, 17, 5, 0.5, 9, 5, 570, 2_000, 2_600, 20_000, 7_500, 900_000, 25_000);

  /** Modules of a process whose cost is in that of the process: itself, the agent, the C library, the loader and their needs. */
  private static final int USUAL_MODULES = 6;
  /** The most that a part can take: what is above it is no measurement. */
  private static final double MOST_NS = 1e10;

  /** @return the costs that the run was calibrated with; typical ones for those that are missing */
  public static MeasuringCosts of(Manifest manifest) {
    Reader reader = new Reader(manifest);
    MeasuringCosts read = new MeasuringCosts(true, reader.ns("pair", TYPICAL.pair),
        reader.ns("path", TYPICAL.path), reader.ns("frame", TYPICAL.frame),
        reader.ns("payload", TYPICAL.payload), reader.ns("instant", TYPICAL.instant),
        reader.ns("counted", TYPICAL.counted), reader.ns("cpu", TYPICAL.cpu),
        reader.ns("refill", TYPICAL.refill),
        manifest.sampleHz() == 0 ? 0 : reader.ns("sample", TYPICAL.sample),
        reader.ns("block", TYPICAL.block), reader.ns("thread", TYPICAL.thread),
        reader.ns("process", TYPICAL.process), reader.ns("module", TYPICAL.module));
    return reader.isComplete ? read : read.asTypical();
  }

  /**
   * What a wait for a processor costs. The agent's memory takes the place of as much of the program's, which the program
   * has to fetch again, so its refill counts twice.
   *
   * @return nanoseconds beyond the Cpu event
   */
  public double caches() {
    return 2 * refill;
  }

  /** @return nanoseconds that start and end of a process with so many modules take */
  public double start(int modules) {
    return process + module * Math.max(0, modules - USUAL_MODULES);
  }

  private MeasuringCosts asTypical() {
    return new MeasuringCosts(
        false, pair, path, frame, payload, instant, counted, cpu, refill, sample, block, thread, process, module);
  }

  private static final class Reader {
    private final Manifest manifest;
    private boolean isComplete = true;

    Reader(Manifest manifest) {
      this.manifest = manifest;
    }

    double ns(String name, double typical) {
      try {
        double ns = Double.parseDouble(manifest.get("cost-" + name + "-ns"));
        if (ns >= 0 && ns <= MOST_NS) {
          return ns;
        }
      } catch (NumberFormatException e) {
        // Missing or damaged.
      }
      isComplete = false;
      return typical;
    }
  }
}
