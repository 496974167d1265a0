package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.AliasString;
import org.parallax.experiment.design.AliasTable;
import org.parallax.experiment.design.SignedTerm;
import org.parallax.experiment.design.Term;

/** Finds out what the next experiment should be. */
final class ProposalBuilder {
  /** Of the largest main effect: what is smaller does not matter. */
  private static final double NEGLIGIBLE = 0.1;

  private final Diagnosis diagnosis;
  private final Effects effects;
  private final List<String> names;
  private final List<Proposal> proposals = new ArrayList<>();

  ProposalBuilder(Diagnosis diagnosis) {
    this.diagnosis = diagnosis;
    effects = diagnosis.effects();
    names = effects.responses().factors();
  }

  List<Proposal> proposals() {
    Masking masking = diagnosis.masking();
    if (masking != null) {
      String name = names.get(masking.factor());
      add(Proposal.Action.HOLD, List.of(name), name + " hides the other factors; with it at "
          + (masking.level() < 0 ? "-" : "+") + " they become visible.");
    }
    factors(masking);
    foldovers();
    if (diagnosis.has(Warning.Kind.CURVATURE)) {
      add(Proposal.Action.MORE_LEVELS, List.of(), "the response is not linear: an orthogonal array "
          + "with 3 to 5 levels shows its shape.");
    }
    replicates();
    if (diagnosis.has(Warning.Kind.DRIFT)) {
      add(Proposal.Action.BLOCK, List.of(), "the response drifts: run blocks of at most "
          + Math.max(2, diagnosis.drift().trials() / 2) + " trials.");
    }
    return List.copyOf(proposals);
  }

  private void add(Proposal.Action action, List<String> factors, String reason) {
    proposals.add(new Proposal(action, factors, reason));
  }

  private String value(double value) {
    return Words.value(value, effects.responses().unit());
  }

  private void factors(Masking masking) {
    List<Effect> main = new ArrayList<>(effects.effects().stream()
        .filter(effect -> effect.term().order() == 1).toList());
    main.sort(Comparator.comparingDouble(effect -> -Math.abs(effect.estimate())));
    double largest = main.isEmpty() ? 0 : Math.abs(main.get(0).estimate());
    for (Effect effect : main) {
      int factor = effect.term().factors()[0];
      List<String> own = List.of(names.get(factor));
      if (effect.verdict().isMarked() && effects.responses().unit() != Unit.NANOSECONDS) {
        boolean isLess = effect.verdict() == Verdict.FASTER;
        add(isLess ? Proposal.Action.SEARCH : Proposal.Action.REFINE, own,
            "with it " + effects.responses().response() + " is "
            + effect.verdict().text(effects.responses().unit()) + " by "
            + value(Math.abs(effect.estimate())) + percent(effect)
            + ". Search for the best delay with more levels, or place points within it.");
        continue;
      }
      switch (effect.verdict()) {
        case SLOWER -> add(Proposal.Action.REFINE, own, "a delay at this place costs "
            + value(effect.estimate()) + percent(effect) + ": faster code at this place makes the "
            + "program faster. Improve it, or place points within it.");
        case FASTER -> add(Proposal.Action.SEARCH, own, "the delay makes the program faster, by "
            + value(-effect.estimate()) + percent(effect) + ": search for the best delay with more "
            + "levels; after a virtual speed-up, improve the code.");
        default -> small(effect, own, largest, masking);
      }
    }
  }

  private void small(Effect effect, List<String> own, double largest, Masking masking) {
    int factor = effect.term().factors()[0];
    if (masking != null && masking.factor() != factor) {
      // A factor that hides the others must not be what these are measured by.
      List<Effect> half = masking.half().effects().stream()
          .filter(other -> other.term().order() == 1).toList();
      double room = half.stream().mapToDouble(other -> Math.abs(other.estimate())).max().orElse(0);
      half.stream().filter(other -> other.name().equals(names.get(factor))).findFirst()
          .ifPresent(other -> keepOrDrop(other, own, room, "where it is not hidden, "));
      return;
    }
    keepOrDrop(effect, own, largest, "");
  }

  private void keepOrDrop(Effect effect, List<String> own, double largest, String where) {
    if (effect.interval() == null) {
      add(Proposal.Action.KEEP, own, where + "its effect has no standard error.");
      return;
    }
    double most = Math.max(Math.abs(effect.interval().low()), Math.abs(effect.interval().high()));
    int factor = names.indexOf(own.get(0));
    String interactions = effects.effects().stream().filter(other ->
        other.verdict().isMarked() && other.mayBeInteractionOf(factor)).map(Effect::name)
        .collect(Collectors.joining("; "));
    if (most <= NEGLIGIBLE * largest && interactions.isEmpty()) {
      add(Proposal.Action.DROP, own, where + "its effect is at most " + value(most) + ", less than "
          + "a tenth of the largest.");
    } else if (!interactions.isEmpty()) {
      add(Proposal.Action.KEEP, own, where + "it may be part of the effect of "
          + interactions + ".");
    } else {
      add(Proposal.Action.KEEP, own, where + "its effect is between "
          + value(effect.interval().low()) + " and " + value(effect.interval().high())
          + (effect.interval().contains(0) ? ", possibly zero." : "."));
    }
  }

  private static String percent(Effect effect) {
    return Double.isNaN(effect.percent()) ? ""
        : " (" + Words.number(Math.abs(effect.percent())) + " % of the unperturbed program)";
  }

  /** Strings that are found, and stand for several terms that may well be there. */
  private void foldovers() {
    boolean mixedMain = false;
    List<String> mixed = new ArrayList<>();
    AliasTable aliases = AliasTable.of(effects.responses().design(), 2);
    for (Effect effect : effects.effects()) {
      if (!effect.verdict().isMarked() || effect.term().order() > 2) {
        continue;
      }
      AliasString string = aliases.string(effect.term());
      if (string.terms().size() < 2) {
        continue;
      }
      if (effect.term().order() == 1) {
        mixedMain = true;
        mixed.add(string.name(names));
      } else {
        separate(string, effect);
      }
    }
    if (mixedMain) {
      add(Proposal.Action.FOLDOVER, names, "significant main effects are mixed with interactions "
          + "of two factors: " + String.join("; ", mixed) + ". The same runs with all signs "
          + "reversed separate them.");
    }
  }

  /** With one factor reversed, terms that have it change their signs, and others do not. */
  private void separate(AliasString string, Effect effect) {
    List<Term> pairs = string.terms().stream().map(SignedTerm::term)
        .filter(term -> term.order() == 2).toList();
    OptionalInt factor = IntStream.range(0, names.size()).filter(i -> {
      long with = pairs.stream().filter(term -> term.contains(i)).count();
      return with > 0 && with < pairs.size();
    }).findFirst();
    factor.ifPresent(reversed -> add(Proposal.Action.FOLDOVER, List.of(names.get(reversed)),
        "the " + value(effect.estimate()) + " of " + string.name(names) + " may belong to any of "
        + "these."
        + " The same runs with " + names.get(reversed) + " reversed separate "
        + pairs.stream().filter(term -> term.contains(reversed)).findFirst().orElseThrow()
            .name(names) + " from the others."));
  }

  private void replicates() {
    Sensitivity sensitivity = diagnosis.sensitivity();
    if (sensitivity == null) {
      add(Proposal.Action.REPLICATE, List.of(), "there is no standard error; run every setting "
          + "twice or more.");
    } else if (effects.noise().source() != Noise.Source.REPLICATES) {
      add(Proposal.Action.REPLICATE, List.of(), "the standard error is "
          + effects.noise().source().text() + "; replicates measure the noise itself.");
    } else if (diagnosis.has(Warning.Kind.NOISE)) {
      double wanted = effects.baseline().value() / 20;
      OptionalInt replicates = sensitivity.replicates(wanted);
      add(Proposal.Action.REPLICATE, List.of(), "the noise hides all effects; "
          + (replicates.isPresent() ? replicates.getAsInt() + " replicates show"
          : "no practical number of replicates shows")
          + " an effect of " + value(wanted) + ", 5 % of the unperturbed program.");
    }
  }
}
