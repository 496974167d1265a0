package org.parallax.ui.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.ApplicationAnalysis.PathScope;
import org.parallax.analysis.Overlap;
import org.parallax.analysis.Phase;
import org.parallax.analysis.phases.ProgramPhases;
import org.parallax.model.RunMode;
import org.parallax.model.program.Application;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/**
 * The analyses of the open applications. Each is created at the first request and shared by all views.
 * Analyses of the whole time are kept; of the analyses of phases, only the last few are kept. All methods
 * can be called from any thread.
 */
public final class Analyses {
  private static final int PHASES = 6;

  private record Key(List<Application> applications, PathScope scope, Phase phase) {}

  private final List<Application> applications;
  /** Those that ran beside each other: a phase means the same time for all of them. */
  private final List<Application> base;
  private final Map<Key, ApplicationAnalysis> made = new LinkedHashMap<>(16, 0.75f, true);

  /** The phases that programs name, of each application that was asked for. */
  private final Map<ApplicationAnalysis, ProgramPhases> phases =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** @param before whose analyses are kept where they still hold */
  Analyses(Collection<Application> open, Analyses before) {
    applications = List.copyOf(open);
    List<Application> all = applications.stream()
        .filter(application -> application.getMode() != RunMode.COMPARISON).toList();
    boolean met =
        Overlap.apart(all.stream().map(Application::getTrace).distinct().toList()).isEmpty();
    base = met && all.size() > 1 ? all : List.of();
    if (before != null) {
      before.copyTo(this);
    }
  }

  private synchronized void copyTo(Analyses next) {
    Set<Trace> open =
        next.applications.stream().map(Application::getTrace).collect(Collectors.toSet());
    made.forEach((key, analysis) -> {
      if (!open.containsAll(analysis.workload().traces())) {
        // Not kept: it would keep closed traces in memory.
        return;
      }
      boolean same = key.scope() == PathScope.INTRA
          ? next.applications.containsAll(key.applications()) && key.applications().stream()
              .allMatch(application -> beginNs(application) == next.beginNs(application))
          : base.equals(next.base);
      if (same) {
        next.made.put(key, analysis);
      }
    });
  }

  /** When an application began, on the time base of its analyses. */
  private long beginNs(Application application) {
    long first = base.contains(application) ? base.stream()
        .mapToLong(each -> each.getTrace().epochNs()).min().orElseThrow()
        : application.getTrace().epochNs();
    return application.getTrace().epochNs() - first;
  }

  /** The directories of the traces that share a time base with an application. */
  Set<Path> timeBase(Application application) {
    List<Application> all = base.contains(application) ? base : List.of(application);
    return all.stream().map(each -> each.getTrace().directory()).collect(Collectors.toSet());
  }

  /** Whether all applications ran beside each other, so that they can be analysed together. */
  public boolean areTogether() {
    return base.size() == applications.size() && applications.size() > 1;
  }

  /** @return the number of applications that ran beside each other, if this is one of them; else 1 */
  public int together(Application application) {
    return base.contains(application) ? base.size() : 1;
  }

  /** Of one application in all of the time. */
  public ApplicationAnalysis of(Application application) {
    return of(application, PathScope.INTRA, null);
  }

  /**
   * Of one application, or, in the global scope, of all that ran beside each other.
   *
   * @param phase null for all of the time
   */
  public synchronized ApplicationAnalysis of(
      Application application, PathScope scope, Phase phase) {
    PathScope possible = base.contains(application) ? scope : PathScope.INTRA;
    Key key = new Key(possible == PathScope.GLOBAL ? base : List.of(application), possible, phase);
    ApplicationAnalysis known = made.get(key);
    if (known == null) {
      known = phase != null ? of(application, scope, null).during(phase) : switch (possible) {
        case INTRA -> ApplicationAnalysis.within(application,
            base.contains(application) ? base : List.of());
        case INTER -> ApplicationAnalysis.inter(application, base);
        case GLOBAL -> ApplicationAnalysis.global(base);
      };
      made.put(key, known);
      forgetPhases();
    }
    return known;
  }

  /**
   * The phases that the program of an application names; read at the first request.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public ProgramPhases phases(ApplicationAnalysis analysis, Progress progress) {
    ApplicationAnalysis whole = of(analysis.application());
    ProgramPhases known = phases.get(whole);
    if (known == null) {
      known = ProgramPhases.of(whole, null, progress);
      phases.put(whole, known);
    }
    return known;
  }

  /** A job that still uses an analysis that is removed here keeps it until the job ends. */
  private void forgetPhases() {
    List<Key> phases = new ArrayList<>(made.keySet().stream().filter(key -> key.phase() != null)
        .toList());
    Iterator<Key> oldest = phases.iterator();
    for (int i = phases.size(); i > PHASES; i--) {
      made.remove(oldest.next());
    }
  }
}
