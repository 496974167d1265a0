package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.parallax.analysis.table.Unit;

/**
 * Whether the effects of an experiment can be believed. What is null could not be told, or is not
 * the case.
 *
 * @param robust the same effects by other methods
 */
public record Diagnosis(Effects effects, Robust robust, Masking masking, Drift drift,
    Residuals residuals, Sensitivity sensitivity, List<Warning> warnings) {
  /** Of the unperturbed program: smaller effects seldom matter. */
  private static final double SMALL_PERCENT = 5;
  private static final double FEW_DEGREES = 6;

  /** Examines effects. */
  public static Diagnosis of(Effects effects) {
    Robust robust = Robust.of(effects);
    return new Builder(effects, robust).diagnosis();
  }

  /** @return whether there is a warning of a kind */
  public boolean has(Warning.Kind kind) {
    return warnings.stream().anyMatch(warning -> warning.kind() == kind);
  }

  private static final class Builder {
    private final Effects effects;
    private final Robust robust;
    private final Unit unit;
    private final List<Warning> warnings = new ArrayList<>();

    Builder(Effects effects, Robust robust) {
      this.effects = effects;
      this.robust = robust;
      unit = effects.responses().unit();
    }

    Diagnosis diagnosis() {
      Masking masking = Masking.of(effects).orElse(null);
      // Without replicates, what a hidden effect does looks like noise.
      boolean noise = masking == null || effects.noise().source() == Noise.Source.REPLICATES;
      Drift drift = noise ? Drift.of(effects).orElse(null) : null;
      Residuals residuals = noise ? Residuals.of(effects).orElse(null) : null;
      Sensitivity sensitivity = Sensitivity.of(effects);
      if (masking != null) {
        masked(masking);
      }
      if (drift != null) {
        drifting(drift);
      }
      curved();
      if (residuals != null) {
        notNormal(residuals);
      }
      disagreeing();
      if (sensitivity != null) {
        noisy(sensitivity);
      }
      errors();
      design();
      return new Diagnosis(effects, robust, masking, drift, residuals, sensitivity,
          List.copyOf(warnings));
    }

    private void warn(Warning.Kind kind, String text) {
      warnings.add(new Warning(kind, text));
    }

    private String value(double value) {
      return Words.value(value, unit);
    }

    private void masked(Masking masking) {
      String name = effects.responses().factors().get(masking.factor());
      List<String> inHalf = masking.half().effects().stream()
          .filter(effect -> effect.term().order() == 1)
          .map(effect -> effect.name() + " " + value(effect.estimate())).toList();
      warn(Warning.Kind.MASKING, name + " hides the other factors: the responses spread by "
          + value(masking.spread()) + " (standard deviation) with " + name + " at "
          + sign(masking.level()) + ", but only by " + value(masking.maskedSpread()) + " with it "
          + "at "
          + sign(-masking.level()) + " (" + Words.probability(masking.p()) + "). In the trials with"
          + " it at " + sign(masking.level()) + " the effects are: " + String.join(", ", inHalf)
          + ". Hold " + name + " at " + sign(masking.level()) + " in the next experiment.");
    }

    private static String sign(int level) {
      return level < 0 ? "-" : "+";
    }

    private void drifting(Drift drift) {
      List<Observation> trials = effects.responses().observations();
      int last = trials.get(trials.size() - 1).position() - trials.get(0).position();
      if (drift.isTrend()) {
        warn(Warning.Kind.DRIFT, "the response drifts by " + value(drift.slope())
            + " from trial to trial, independent of the settings, and by "
            + value(drift.slope() * last) + " from the first trial to the last ("
            + Words.probability(drift.p()) + "). Run the trials in blocks of at most "
            + Math.max(2, drift.trials() / 2) + ".");
      }
      if (drift.isCorrelated()) {
        warn(Warning.Kind.CORRELATION, "successive trials are similar: correlation "
            + Words.number(drift.lag()) + " (" + Words.probability(drift.lagP()) + "). The random "
            + "order keeps the effects unbiased; smaller blocks make them more precise.");
      }
    }

    private void curved() {
      Effects.Contrast curvature = effects.curvature();
      if (curvature != null && curvature.p() < 1 - effects.options().confidence()) {
        warn(Warning.Kind.CURVATURE, "the response is not linear: with all factors in the middle "
            + "it is " + value(curvature.estimate()) + " away from the mean of the other runs ("
            + Words.probability(curvature.p()) + "). Try more levels.");
      }
    }

    private void notNormal(Residuals residuals) {
      if (residuals.hasOutlier()) {
        Observation trial = effects.responses().observations().get(residuals.outlier());
        warn(Warning.Kind.OUTLIER, "the trial of run " + (trial.run() + 1) + ", replicate "
            + (trial.replicate() + 1) + ", " + value(trial.value()) + ", is "
            + Words.number(residuals.outlierT()) + " standard deviations away from the other "
            + "trials of its settings (" + Words.probability(residuals.outlierP()) + "). Compare "
            + "with the medians.");
      }
      if (residuals.isSkewed()) {
        warn(Warning.Kind.SKEWED, "the noise is not normal: skewness "
            + Words.number(residuals.skewness()) + " (" + Words.probability(residuals.skewnessP())
            + "). Use the permutation test and the bootstrap intervals.");
      }
    }

    private void disagreeing() {
      if (effects.noise().degreesOfFreedom() < FEW_DEGREES
          || effects.noise().source() == Noise.Source.LENTH) {
        return;
      }
      double limit = 1 - effects.options().confidence();
      double clearly = 4 * limit;
      for (Robust.RobustEffect effect : robust.effects()) {
        boolean marked = effect.classic().verdict().isMarked();
        if (marked && effect.permutationP() > clearly) {
          warn(Warning.Kind.DISAGREEMENT, effect.classic().name() + " is significant by the t test "
              + "("
              + Words.probability(effect.classic().holm()) + ", corrected), but not by the "
              + "permutation test (" + Words.probability(effect.permutationP()) + ").");
        } else if (effect.classic().holm() > clearly && effect.permutationP() <= limit) {
          warn(Warning.Kind.DISAGREEMENT, effect.classic().name() + " is significant by the "
              + "permutation test ("
              + Words.probability(effect.permutationP()) + "), but not by the t test ("
              + Words.probability(effect.classic().holm()) + ", corrected).");
        }
        double off = Math.abs(effect.median() - effect.classic().estimate());
        if (off > 3 * effect.classic().standardError()
            && !effects.responses().isRounding(off)) {
          warn(Warning.Kind.DISAGREEMENT, effect.classic().name() + " is "
              + value(effect.classic().estimate()) + " by means, but " + value(effect.median())
              + " by medians.");
        }
      }
    }

    private void noisy(Sensitivity sensitivity) {
      Baseline baseline = effects.baseline();
      if (baseline == null || sensitivity.percent() < 2 * SMALL_PERCENT
          || effects.effects().stream().anyMatch(effect -> effect.verdict().isMarked())) {
        return;
      }
      OptionalInt replicates = sensitivity.replicates(baseline.value() * SMALL_PERCENT / 100);
      warn(Warning.Kind.NOISE, "the noise hides all effects: only an effect of at least "
          + value(sensitivity.detectable()) + ", " + Words.number(sensitivity.percent())
          + " % of the unperturbed program, would be found. To find " + Words.number(SMALL_PERCENT)
          + " % takes " + (replicates.isPresent() ? replicates.getAsInt() + " replicates"
          : "too many replicates to be practical")
          + "; stop other programs on the machine, or use longer delays.");
    }

    private void errors() {
      Noise noise = effects.noise();
      String degrees = Words.number(noise.degreesOfFreedom());
      switch (noise.source()) {
        case NONE -> warn(Warning.Kind.ERROR, "there is no standard error: too few trials. "
            + "Nothing is marked; run replicates.");
        case LENTH -> warn(Warning.Kind.ERROR, "the standard error is Lenth's (" + degrees
            + " degrees of freedom): it is valid if most effects are zero. Run replicates to "
            + "verify it.");
        case PURE_STRINGS -> warn(Warning.Kind.ERROR, "the standard error comes from interactions "
            + "of three and more factors (" + degrees + " degrees of freedom), which are assumed "
            + "to be zero. Run replicates to verify it.");
        default -> {
          if (noise.degreesOfFreedom() < FEW_DEGREES) {
            warn(Warning.Kind.ERROR, "the standard error has only " + degrees + " degrees of "
                + "freedom, so the intervals are wide. Run more replicates.");
          }
        }
      }
    }

    private void design() {
      if (!effects.lost().isEmpty()) {
        warn(Warning.Kind.LOST, "these effects are unknown, because trials are missing or blocks "
            + "hide them: "
            + Words.list(effects.lost()) + ".");
      }
      if (!effects.complete()) {
        warn(Warning.Kind.MIXED, "this design mixes parts of two-factor interactions into the main "
            + "effects and cannot separate them.");
      }
      if (effects.baseline() != null && effects.baseline().trials() == 0) {
        warn(Warning.Kind.BASELINE, "percentages refer to a computed response, because no trial "
            + "ran without treatments.");
      }
    }
  }
}
