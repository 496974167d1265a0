package org.parallax.experiment.design;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.parallax.experiment.design.DesignRequest.Kind;

/** Makes what a request asks for, or says why it cannot be and what can. */
final class DesignMaker {
  /** Up to so many factors all combinations are usual: 16 runs. */
  private static final int MOST_FULL = 4;
  /** Up to so many factors resolution IV is usual: 64 runs. */
  private static final int MOST_FOUR = 32;
  private static final int MOST_BASICS = Integer.numberOfTrailingZeros(Fraction.MOST_RUNS);

  private final DesignRequest request;
  private final List<String> names;
  private final int levels;
  private final int factors;
  private final Kind kind;

  DesignMaker(DesignRequest request, List<String> names, int levels) {
    this.request = request;
    this.names = names;
    this.levels = levels;
    factors = names.size();
    kind = request.kind() == Kind.USUAL ? usual() : request.kind();
  }

  private Kind usual() {
    if (levels > 2) {
      return factors > 1 && GaloisField.exists(levels) ? Kind.ORTHOGONAL_ARRAY : Kind.FULL;
    }
    return factors <= MOST_FULL ? Kind.FULL
        : factors <= MOST_FOUR ? Kind.FRACTION : Kind.SCREENING;
  }

  PlannedDesign make() {
    if (factors == 0) {
      throw new DesignException("a design needs at least one factor");
    }
    if (levels < 2) {
      throw new DesignException("a factor needs at least two levels");
    }
    if (levels > 2) {
      return moreLevels();
    }
    List<Term> wanted = request.separate().stream()
        .map(text -> Generator.term(text, names, "separate=" + text)).distinct().toList();
    PlannedDesign planned = switch (kind) {
      case ORTHOGONAL_ARRAY -> throw new DesignException("orthogonal arrays need 3 levels or more; "
          + "for two levels ask for a fraction or plackett-burman, or give the factors more levels");
      case PLACKETT_BURMAN -> plackettBurman();
      case SCREENING -> screening();
      default -> blocked(fraction(wanted));
    };
    planned = augmented(planned);
    List<Separation.Conflict> conflicts = Separation.conflicts(planned.design(), wanted);
    if (!conflicts.isEmpty()) {
      throw notSeparated(planned.design(), conflicts, wanted);
    }
    return planned;
  }

  private Fraction fraction(List<Term> wanted) {
    if (kind == Kind.FULL) {
      requireNot(request.runs() > 0 && request.runs() != 1L << Math.min(factors, 30),
          "all combinations of " + factors + " factors are 2^" + factors + " runs, not "
              + request.runs() + "; ask for a fraction");
      return Fraction.full(factors);
    }
    if (!request.generators().isEmpty()) {
      return generated();
    }
    int basics = basics();
    Fraction usual = best(basics, factors);
    if (wanted.isEmpty() || Separation.conflicts(usual.design(), wanted).isEmpty()) {
      return usual;
    }
    return Separation.ofRuns(basics, factors, resolution(usual) >= 4 ? withMainEffects(wanted)
        : wanted).filter(found -> resolution(found) >= request.resolution()).orElse(usual);
  }

  private List<Term> withMainEffects(List<Term> wanted) {
    return Stream.concat(wanted.stream(), Term.all(factors, 1).stream()).distinct().toList();
  }

  private static int resolution(Fraction fraction) {
    return fraction.resolution().orElse(Integer.MAX_VALUE);
  }

  private Fraction generated() {
    Fraction fraction = Fraction.of(Generator.parse(request.generators(), names), names);
    requireNot(request.runs() > 0 && request.runs() != fraction.runs(),
        "the generators " + request.generators() + " make " + fraction.runs() + " runs, not "
            + request.runs());
    if (resolution(fraction) < request.resolution()) {
      throw new DesignException("the generators " + request.generators() + " give resolution "
          + Fraction.roman(resolution(fraction)) + ", not " + Fraction.roman(request.resolution())
          + "; leave them out to have generators chosen");
    }
    return fraction;
  }

  private static void requireNot(boolean wrong, String message) {
    if (wrong) {
      throw new DesignException(message);
    }
  }

  /** The binary logarithm of the number of runs. */
  private int basics() {
    if (request.runs() == 0) {
      int resolution = request.resolution() == 0 ? 4 : request.resolution();
      return fewest(resolution).orElseThrow(() -> new DesignException(factors + " factors need "
          + "over " + Fraction.MOST_RUNS + " runs with resolution " + Fraction.roman(resolution)
          + "; ask for a lower resolution or a screening design"));
    }
    int runs = request.runs();
    requireNot(Integer.bitCount(runs) != 1 || runs > Fraction.MOST_RUNS, "a fraction has 4, 8, 16 "
        + "and so on up to " + Fraction.MOST_RUNS + " runs, not " + runs
        + (PlackettBurman.exists(runs) ? "; plackett-burman has such a design" : ""));
    int basics = Integer.numberOfTrailingZeros(runs);
    requireNot(basics > factors, factors + (factors == 1 ? " factor has" : " factors have")
        + " only " + (1L << factors) + " combinations; ask for full, and for replicates to have "
        + runs + " runs");
    int least = request.resolution() == 0 ? 3 : request.resolution();
    if (!holds(basics, factors, least)) {
      int holds = IntStream.range(basics, factors).filter(k -> holds(basics, k, least)).max()
          .orElse(0);
      String next = fewest(least).stream().mapToObj(n -> "; the next design for " + factors
          + " has " + (1 << n) + " runs").findFirst().orElse("");
      throw new DesignException(runs + " runs allow " + holds + " factors with resolution "
          + Fraction.roman(least) + ", not " + factors + next
          + (least > 3 && factors < runs ? "; or use resolution " + Fraction.roman(
              resolution(best(basics, factors))) : ""));
    }
    return basics;
  }

  private OptionalInt fewest(int resolution) {
    return IntStream.rangeClosed(1, Math.min(factors, MOST_BASICS))
        .filter(n -> holds(n, factors, resolution)).findFirst();
  }

  private static boolean holds(int basics, int factors, int resolution) {
    return factors == basics || factors < 1 << basics && factors > basics
        && (resolution <= 3 || factors <= 1 << basics - 1)
        && resolution(best(basics, factors)) >= resolution;
  }

  private static Fraction best(int basics, int factors) {
    return Fraction.ofColumns(basics, MinimumAberration.columns(basics, factors));
  }

  private PlannedDesign blocked(Fraction fraction) {
    if (request.blocks() == 1) {
      return new PlannedDesign(fraction.design(), Optional.of(fraction), List.of());
    }
    Blocking blocking = Blocking.of(fraction, request.blocks());
    return new PlannedDesign(blocking.design(), Optional.of(fraction), blocking.generators());
  }

  private PlannedDesign plackettBurman() {
    int runs = request.runs();
    if (runs == 0) {
      // Powers of two would be regular fractions of resolution III.
      runs = IntStream.rangeClosed(Math.max(12, factors + 1), PlackettBurman.MOST_RUNS)
          .filter(n -> Integer.bitCount(n) > 1 && PlackettBurman.exists(n)).findFirst()
          .orElseThrow(this::tooMany);
    }
    return unblocked(PlackettBurman.of(factors, runs));
  }

  private DesignException tooMany() {
    return new DesignException("a screening design allows up to "
        + (PlackettBurman.MOST_RUNS - 1) + " factors, not " + factors
        + "; screen groups of factors");
  }

  private PlannedDesign screening() {
    int runs = request.runs();
    boolean four = request.resolution() == 4;
    requireNot(request.resolution() > 4, "screening has resolution III or IV; ask for resolution "
        + Fraction.roman(Math.max(1, request.resolution())) + " without it");
    if (runs == 0) {
      runs = PlackettBurman.fewestRuns(factors).orElseThrow(this::tooMany);
      runs *= four ? 2 : 1;
    }
    requireNot(four && runs % 2 != 0, "a folded design has an even number of runs");
    Design design = PlackettBurman.of(factors, four ? runs / 2 : runs);
    return unblocked(four ? Augmentation.foldover(design, false) : design);
  }

  private PlannedDesign unblocked(Design design) {
    requireNot(request.blocks() > 1, "blocks are for full factorials and fractions; with "
        + design.name() + " use the replicates as blocks, or fold the design over");
    requireNot(!request.generators().isEmpty(), "generators are for fractions; " + design.name()
        + " has none");
    return new PlannedDesign(design, Optional.empty(), List.of());
  }

  private PlannedDesign augmented(PlannedDesign planned) {
    Design design = planned.design();
    if (request.foldover().equals(DesignRequest.ALL)) {
      design = Augmentation.foldover(design, true);
    } else if (!request.foldover().isEmpty()) {
      Term term = Generator.term(request.foldover(), names, "foldover=" + request.foldover());
      requireNot(term.order() != 1, "foldover=" + request.foldover() + " must name one factor");
      design = Augmentation.foldover(design, term.factors()[0], true);
    }
    if (request.centrePoints() > 0) {
      design = Augmentation.withCentrePoints(design, request.centrePoints());
    }
    // Half of a foldover's runs have other words than the fraction.
    return new PlannedDesign(design, request.foldover().isEmpty() ? planned.fraction()
        : Optional.empty(), planned.blockGenerators());
  }

  private DesignException notSeparated(Design design, List<Separation.Conflict> conflicts,
      List<Term> wanted) {
    List<String> parts = new ArrayList<>(
        conflicts.stream().map(conflict -> conflict.text(names)).toList());
    Optional<Fraction> found = Separation.smallest(1, factors, withMainEffects(wanted));
    Optional<Fraction> fewer = Separation.smallest(1, factors, wanted)
        .filter(each -> found.isEmpty() || each.runs() < found.get().runs());
    String advice = found.map(each -> text(each) + " separates these effects")
        .orElse("no fraction of up to " + Fraction.MOST_RUNS + " runs separates these effects and "
            + "all main effects; ask for fewer effects or factors")
        + fewer.map(each -> "; so does " + text(each) + ", where other main effects are aliased "
            + "with interactions").orElse("");
    return new DesignException("in " + design.name() + " of " + design.runs() + " runs "
        + String.join("; ", parts) + ". " + advice);
  }

  private String text(Fraction fraction) {
    int generators = fraction.generators().size();
    return fraction.name() + " of " + fraction.runs() + " runs" + (generators == 0
        || generators > 12 ? "" : " with " + Generator.text(fraction.generators(), names));
  }

  private PlannedDesign moreLevels() {
    requireNot(!request.separate().isEmpty() || !request.foldover().isEmpty()
        || request.centrePoints() > 0 || request.blocks() > 1 || !request.generators().isEmpty()
        || request.resolution() > 0, "generators, resolution, blocks, foldover, centre and "
            + "separate need factors with two levels; these have " + levels);
    Design design = switch (kind) {
      case ORTHOGONAL_ARRAY -> OrthogonalArray.of(factors, levels);
      case FULL -> allCombinations();
      default -> throw new DesignException(kind.key() + " designs have two levels, the factors "
          + "have " + levels + "; ask for orthogonal-array or full");
    };
    requireNot(request.runs() > 0 && request.runs() != design.runs(), design.name() + " has "
        + design.runs() + " runs, not " + request.runs());
    return new PlannedDesign(design, Optional.empty(), List.of());
  }

  private Design allCombinations() {
    double runs = Math.pow(levels, factors);
    requireNot(runs > Fraction.MOST_RUNS, factors + " factors of " + levels + " levels in all "
        + "combinations take over " + Fraction.MOST_RUNS + " runs; ask for an orthogonal-array");
    int[][] settings = new int[(int) runs][factors];
    for (int run = 0; run < settings.length; run++) {
      int rest = run;
      for (int i = 0; i < factors; i++) {
        settings[run][i] = rest % levels;
        rest /= levels;
      }
    }
    return new Design(levels + "^" + factors, levels, settings);
  }
}
