package org.parallax.ui.experiment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IMarker;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.IWorkspaceRoot;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.effects.Effect;
import org.parallax.experiment.effects.Verdict;
import org.parallax.experiment.effects.Words;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.run.Places;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.source.SourceOpener;

/**
 * Marks in the source what an experiment found: the lines at which a delay makes the program slower,
 * by how much, and those at which it makes it faster. Nothing is marked that has no standard error.
 * All text editors of the platform show markers, in their rulers and as hovers.
 */
final class SensitivityMarkers {
  /** The type of all markers of experiments. */
  static final String TYPE = Ids.SENSITIVITY_MARKER;
  /** A delay costs little, more, much; or gains. */
  static final String WEAK = TYPE + "Weak";
  static final String MEDIUM = TYPE + "Medium";
  static final String STRONG = TYPE + "Strong";
  static final String FASTER = TYPE + "Faster";
  /** The attribute that has the name of the factor. */
  static final String FACTOR = "factor";

  private static final double STRONG_PERCENT = 20;
  private static final double MEDIUM_PERCENT = 5;
  private static final String SHOWN = "sensitivityMarkers";

  private static Job job;

  private SensitivityMarkers() {
  }

  static boolean isShown() {
    return preferences().getBoolean(SHOWN, true);
  }

  static void setShown(boolean shown) {
    preferences().putBoolean(SHOWN, shown);
  }

  private static org.eclipse.core.runtime.preferences.IEclipsePreferences preferences() {
    return org.eclipse.core.runtime.preferences.InstanceScope.INSTANCE.getNode(Ids.BUNDLE);
  }

  /** A line to mark. */
  private record Mark(IFile file, int line, String type, String text, String factor, String percent) {
  }

  /** Marks what was found, in place of all that was marked before. */
  static void show(EffectsResult result) {
    if (job != null) {
      job.cancel();
    }
    job = new MarkJob(result);
    job.schedule();
  }

  private static final class MarkJob extends Job {
    private final EffectsResult result;

    MarkJob(EffectsResult result) {
      super(NLS.bind(Messages.markJob, result.file().getFileName()));
      this.result = result;
      setSystem(true);
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
      List<Mark> marks = isShown() && result.diagnosis() != null ? marks(result) : List.of();
      if (monitor.isCanceled()) {
        return Status.CANCEL_STATUS;
      }
      IWorkspaceRoot root = ResourcesPlugin.getWorkspace().getRoot();
      try {
        ResourcesPlugin.getWorkspace().run(unused -> {
          root.deleteMarkers(TYPE, true, IResource.DEPTH_INFINITE);
          for (Mark mark : marks) {
            mark.file().createMarker(mark.type(), Map.of(IMarker.LINE_NUMBER, mark.line(),
                IMarker.MESSAGE, mark.text(), FACTOR, mark.factor(),
                Ids.SENSITIVITY_PERCENT, mark.percent()));
          }
        }, root, 0, monitor);
        return Status.OK_STATUS;
      } catch (CoreException e) {
        return e.getStatus();
      }
    }

    @Override
    public boolean belongsTo(Object family) {
      return family == Experiments.shortFamily();
    }
  }

  private static List<Mark> marks(EffectsResult result) {
    Map<Integer, Effect> found = new HashMap<>();
    for (Effect effect : result.diagnosis().effects().effects()) {
      if (effect.term().order() == 1 && effect.verdict().isMarked()) {
        found.put(effect.term().factors()[0], effect);
      }
    }
    if (found.isEmpty()) {
      return List.of();
    }
    Places places;
    try {
      places = NativeTools.find().look(result.file(), result.experiment());
    } catch (ExperimentException e) {
      // The program may be gone; its effects are in the view all the same.
      return List.of();
    }
    Map<String, IFile> files = new HashMap<>();
    Set<String> marked = new LinkedHashSet<>();
    List<Mark> marks = new ArrayList<>();
    for (Places.Point point : places.points()) {
      Effect effect = found.get(point.place());
      if (effect == null || point.line() <= 0
          || !marked.add(point.place() + " " + point.file() + ":" + point.line())) {
        continue;
      }
      IFile file = files.computeIfAbsent(point.file(), SourceOpener::resource);
      if (file != null) {
        String place = result.experiment().getFactors().get(point.place()).getPlace();
        marks.add(new Mark(file, point.line(), type(effect), text(result, effect, place),
            effect.name(), Double.isNaN(effect.percent()) ? "" : Double.toString(effect.percent())));
      }
    }
    return marks;
  }

  /** How large an effect is shown, by its share of the unperturbed program's response. */
  private static String type(Effect effect) {
    if (effect.verdict() == Verdict.FASTER) {
      return FASTER;
    }
    return effect.percent() >= STRONG_PERCENT ? STRONG
        : effect.percent() < MEDIUM_PERCENT ? WEAK : MEDIUM;
  }

  /** Of what is no time nobody knows whether more of it is better. */
  private static String message(Effect effect, Unit unit) {
    boolean less = effect.verdict() == Verdict.FASTER;
    return unit == Unit.NANOSECONDS ? less ? Messages.markFaster : Messages.markSlower
        : less ? Messages.markSmaller : Messages.markLarger;
  }

  private static String text(EffectsResult result, Effect effect, String place) {
    Unit unit = result.responses().unit();
    StringBuilder text = new StringBuilder(NLS.bind(message(effect, unit), new Object[] {place,
            result.responses().response(), Words.value(Math.abs(effect.estimate()), unit),
            Words.value(effect.standardError(), unit)}));
    if (!Double.isNaN(effect.percent())) {
      text.append(NLS.bind(Messages.markPercent, Words.number(Math.abs(effect.percent()))));
    }
    text.append('.');
    if (!effect.aliases().isEmpty()) {
      text.append('\n').append(NLS.bind(Messages.markAliases,
          String.join(", ", effect.aliases())));
    }
    return text.toString();
  }
}
