package org.parallax.tuning.model;

import java.util.List;
import java.util.stream.Collectors;

/** Model files are wrong; the message has all of their errors, a line each. */
public final class ModelException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<ModelProblem> problems;

  ModelException(List<ModelProblem> problems) {
    super(problems.stream().map(ModelProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** @param message what is wrong with several files, or with them together */
  ModelException(String message) {
    super(message);
    problems = List.of();
  }

  /** @return all errors of one file, in its order; of several files the message alone tells them */
  public List<ModelProblem> problems() {
    return problems;
  }
}
