package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.parallax.tuning.model.MeasurePoint;
import org.parallax.tuning.model.TuningModel;

/** What all models judge, and who may act where. */
final class Subjects {
  private final List<TuningModel> models;
  private final World world;
  private final PointPlan points;
  private final Context context;
  private final List<Subject> subjects = new ArrayList<>();
  private boolean arePointsChanged;

  /** @param models those to be tried first in front */
  Subjects(List<TuningModel> models, World world, PointPlan points, Context context) {
    this.models = List.copyOf(models);
    this.world = world;
    this.points = points;
    this.context = context;
  }

  /** @return those of now */
  List<Subject> all() {
    return List.copyOf(subjects);
  }

  List<Subject> of(TunedProcess process) {
    return subjects.stream().filter(subject -> subject.processes().contains(process)).toList();
  }

  /** @return the others that have a process of this one */
  List<Subject> others(Subject subject) {
    return subjects.stream().filter(other -> other != subject
        && other.processes().stream().anyMatch(subject.processes()::contains)).toList();
  }

  /**
   * A trial measures times, which an action in another process changes, too, if they wait for each other. An action that is
   * being undone counts in its own processes alone: a process that does not reach the safe moment must not hold up all.
   *
   * @return whether no other one tries something, and none is to try first in the processes of this one
   */
  boolean isFree(Subject subject, long nowNs) {
    int place = models.indexOf(subject.model());
    return subjects.stream().noneMatch(other -> other != subject && other.isTrying())
        && others(subject).stream().noneMatch(other -> other.isBusy()
            || models.indexOf(other.model()) < place && other.isComing(nowNs));
  }

  /** @return the end of a rest within these times, the last of several; or -1 */
  long restEnd(long firstNs, long lastNs) {
    return subjects.stream().mapToLong(Subject::restsUntilNs).filter(untilNs -> untilNs >= firstNs && untilNs <= lastNs).max()
        .orElse(-1);
  }

  /** Adds a process to the subjects of models that are for it and do not have it. */
  void join(TunedProcess process, long nowNs) {
    for (TuningModel model : models) {
      if (!model.isFor(process.library())
          || !model.variable().isEmpty() && process.value(model.variable()) == null) {
        continue;
      }
      List<Subject> own = subjects.stream().filter(subject -> subject.model() == model).toList();
      if (own.stream().anyMatch(subject -> subject.processes().contains(process))) {
        continue;
      }
      Subject subject = own.stream().filter(one -> one.hasPlaceFor(process)).findFirst().orElse(null);
      if (subject == null) {
        subject = new Subject(model, context, process.lastNs());
        subjects.add(subject);
      }
      subject.add(process, nowNs);
      arePointsChanged = true;
    }
  }

  /** A process has ended. */
  void ended(TunedProcess process, long nowNs) {
    world.end(process);
    for (Subject subject : of(process)) {
      subject.remove(process, nowNs);
      if (subject.processes().isEmpty() && !subject.model().isForRun()) {
        subjects.remove(subject);
      }
      arePointsChanged = true;
    }
  }

  /** Other measure points are needed. */
  void pointsChanged() {
    arePointsChanged = true;
  }

  /** @return the line that asks for the points that are needed now, or null when they are the last ones again */
  Map<String, Object> points(boolean isPaused) {
    if (!arePointsChanged) {
      return null;
    }
    arePointsChanged = false;
    Map<String, TreeSet<TunedProcess>> needed = new TreeMap<>();
    for (Subject subject : subjects) {
      for (MeasurePoint point : isPaused ? List.<MeasurePoint>of() : subject.needed()) {
        needed.computeIfAbsent(points.wireNames(subject.model()).get(point.name()), none -> new TreeSet<>(TunedProcess.ORDER))
            .addAll(subject.processes());
      }
    }
    return points.line(needed, world.processes().size());
  }
}
