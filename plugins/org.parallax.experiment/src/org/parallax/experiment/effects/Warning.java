package org.parallax.experiment.effects;

/**
 * What a person must know to read the effects right.
 *
 * @param text a sentence with the numbers, and what to do
 */
public record Warning(Kind kind, String text) {
  /** What it is about. */
  public enum Kind {
    /** A factor is so strong that others vanish. */
    MASKING,
    /** Responses rise or fall with time. */
    DRIFT,
    /** Trials depend on those before them. */
    CORRELATION,
    /** The middle of the factors' range is not the mean of its ends. */
    CURVATURE,
    /** One trial does not belong to the others. */
    OUTLIER,
    /** The noise is not normal. */
    SKEWED,
    /** Methods that do not need normal noise tell something else. */
    DISAGREEMENT,
    /** The noise hides effects that matter. */
    NOISE,
    /** How the standard error was estimated, where that is not from many replicates. */
    ERROR,
    /** Effects that could not be told. */
    LOST,
    /** Main effects are mixed with parts of interactions. */
    MIXED,
    /** The response without treatments is not measured. */
    BASELINE
  }
}
