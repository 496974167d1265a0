package org.parallax.analysis.compare;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.metrics.HistogramReport;
import org.parallax.analysis.phases.MpiPhase;
import org.parallax.analysis.phases.ProgramPhases;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Region;

/**
 * Which moments of several runs are shown as the same one.
 *
 * @param phase whose begin it is, if it is that of a phase; else empty
 * @param occurrence of the phase, from 1
 */
public record Alignment(By by, String phase, int occurrence) {
  /** The kinds of moments. */
  public enum By {
    /** Runs are where they were: each moment is the same for all. */
    TIME,
    /** All runs begin at the same moment. */
    START,
    /** A phase begins at the same moment in all runs. */
    PHASE
  }

  /** The begins of the runs are the same moment. */
  public static final Alignment START = new Alignment(By.START, "", 1);
  /** Runs are where they were. */
  public static final Alignment TIME = new Alignment(By.TIME, "", 1);

  /** @return the alignment of the begin of a phase, the first one being number 1 */
  public static Alignment of(String phase, int occurrence) {
    return new Alignment(By.PHASE, phase, occurrence);
  }

  /**
   * The phases of a run whose begin can be chosen: those that the program names, the time between {@code MPI_Init}
   * and {@code MPI_Finalize}, and those that a person has defined. Reads no events.
   */
  public static Set<String> phases(ApplicationAnalysis run, List<Phase> defined) {
    Set<String> names = new TreeSet<>();
    for (ProcessTrace process : run.workload().processes()) {
      for (int id = 1; id < process.regionCount(); id++) {
        Region region = process.region(id);
        if (region != null && region.group() == Region.Group.PHASE) {
          names.add(region.name());
        } else if (region != null && region.group() == Region.Group.MPI
            && region.name().startsWith("MPI_Init")) {
          names.add(MpiPhase.NAME);
        }
      }
    }
    defined.forEach(phase -> names.add(phase.name()));
    return names;
  }

  /**
   * The moment of a run, on the time base of its analysis.
   *
   * @param named finds the phases that the program names; asked only for the begin of a phase
   * @param defined the phases that a person has defined
   * @return empty for a run that has no such phase, or has it less often
   */
  public OptionalLong momentNs(
      ApplicationAnalysis run, Supplier<ProgramPhases> named, List<Phase> defined) {
    return switch (by) {
      case TIME -> OptionalLong.of(run.workload().movedNs(run.application())
          - run.application().getTrace().epochNs());
      case START -> OptionalLong.of(beginNs(run));
      case PHASE -> phaseNs(run, named.get(), defined);
    };
  }

  private OptionalLong phaseNs(ApplicationAnalysis run, ProgramPhases named, List<Phase> defined) {
    if (named.names().contains(phase)) {
      return occurrence < 1 || occurrence > named.occurrences(phase) ? OptionalLong.empty()
          : OptionalLong.of(named.window(phase, occurrence).beginNs());
    }
    for (Phase own : defined) {
      if (own.name().equals(phase)) {
        return occurrence < 1 || occurrence > own.window().count() ? OptionalLong.empty()
            : OptionalLong.of(own.window().beginNs(occurrence - 1));
      }
    }
    Optional<MpiPhase> mpi = phase.equals(MpiPhase.NAME) && occurrence == 1
        ? MpiPhase.of(run) : Optional.empty();
    return mpi.isPresent() ? OptionalLong.of(mpi.get().window().beginNs()) : OptionalLong.empty();
  }

  /** @return when the first thread of a run begins, on the time base of its analysis */
  public static long beginNs(ApplicationAnalysis run) {
    Window life = HistogramReport.lifeOf(run.during(null), null);
    return life == null ? 0 : life.beginNs();
  }
}
