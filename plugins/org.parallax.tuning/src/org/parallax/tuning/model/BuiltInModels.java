package org.parallax.tuning.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The models that Parallax has, in the order in which they are tried. */
public final class BuiltInModels {
  /** The fragment size comes after the route, as it matters most with direct ones; that of each task after that of all. */
  private static final List<String> FILES = List.of("pvm-route", "pvm-encoding", "pvm-fragment-size-all",
      "pvm-fragment-size", "work-unit-larger", "work-unit-smaller", "openmp-threads", "mpi-buffered-send",
      "mpi-allreduce-reduce-bcast", "mpi-allreduce-exchange", "mpi-allreduce-scatter-gather",
      "mpi-alltoall-pairwise", "mpi-alltoall-linear", "mpi-alltoall-brucks");

  /** Those whose action is not safe for each program; docs/tuning.md says for which. */
  private static final Set<String> NOT_SAFE_FOR_ALL = Set.of("mpi-buffered-send");

  private BuiltInModels() {
  }

  /** @return those that are used if nobody chooses */
  public static List<TuningModel> byDefault() {
    return all().stream().filter(model -> !mustBeNamed(model)).toList();
  }

  /** @return whether it is used only by those who ask for it */
  public static boolean mustBeNamed(TuningModel model) {
    return NOT_SAFE_FOR_ALL.contains(model.name());
  }

  /** @return all of them */
  public static List<TuningModel> all() {
    List<TuningModel> models = new ArrayList<>();
    for (String name : FILES) {
      try (InputStream in = BuiltInModels.class.getResourceAsStream(name + ".yaml")) {
        models.add(ModelFile.parse(name + ".yaml", new String(in.readAllBytes(), StandardCharsets.UTF_8)));
      } catch (IOException | ModelException e) {
        throw new IllegalStateException("a model of the bundle cannot be read: " + e.getMessage(), e);
      }
    }
    return models;
  }
}
