package org.parallax.tuning.model;

import java.util.List;
import java.util.stream.Collectors;

/** A model file is wrong; the message has all of its errors, a line each. */
public final class ModelException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<ModelProblem> problems;

  ModelException(List<ModelProblem> problems) {
    super(problems.stream().map(ModelProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** @return all errors, in the order of the file */
  public List<ModelProblem> problems() {
    return problems;
  }
}
