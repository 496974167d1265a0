package org.parallax.tuning.model;

/**
 * An error in a model file.
 *
 * @param file its name
 * @param line from 1
 * @param column from 1
 * @param text what is wrong, and what was expected
 */
public record ModelProblem(String file, int line, int column, String text) {
  @Override
  public String toString() {
    return file + ":" + line + ":" + column + ": " + text;
  }
}
