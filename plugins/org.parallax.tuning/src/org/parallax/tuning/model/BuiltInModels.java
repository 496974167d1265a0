package org.parallax.tuning.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The models that Parallax has, in the order in which they are tried. */
public final class BuiltInModels {
  /** The fragment size comes after the route, as it matters most with direct ones; that of each task after that of all. */
  private static final List<String> FILES = List.of("pvm-route", "pvm-encoding", "pvm-fragment-size-all",
      "pvm-fragment-size", "work-unit-larger", "work-unit-smaller", "openmp-threads", "mpi-buffered-send",
      "mpi-allreduce-reduce-bcast", "mpi-allreduce-exchange", "mpi-allreduce-scatter-gather",
      "mpi-alltoall-pairwise", "mpi-alltoall-linear", "mpi-alltoall-brucks");

  private BuiltInModels() {
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
