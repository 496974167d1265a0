package org.parallax.experiment.design;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A design as people ask for it. As text it is the kind and options, with semicolons between:
 *
 * <pre>
 * usual                              full, resolution IV, screening or orthogonal-array, as fits
 * full                               all combinations
 * fraction; runs=16                  the fraction with the least aberration
 * fraction; generators=E=ABC,F=BCD   also just E=ABC,F=BCD, or with the factors' names
 * resolution IV                      in the fewest runs
 * plackett-burman; runs=12           also without runs
 * screening                          main effects of many factors in the fewest runs
 * screening; resolution=IV           folded over, so that main effects are clear
 * orthogonal-array                   for 3 levels and more
 *   ; blocks=4                       confounded with the highest interactions
 *   ; foldover, or foldover=FACTOR   mirrored, in blocks of its own
 *   ; centre=3                       runs with all factors halfway, in each block
 *   ; separate=a&b,c&d               effects that must be clear
 * </pre>
 *
 * @param runs 0 for as few as possible
 * @param resolution 0 for none that is asked for
 * @param generators empty when they are to be chosen
 * @param blocks 1 for none
 * @param foldover the factor that is mirrored, {@code *} for all, empty for none
 * @param centrePoints of each block
 * @param separate effects, as products of factors
 */
public record DesignRequest(Kind kind, int runs, int resolution, String generators, int blocks,
    String foldover, int centrePoints, List<String> separate) {
  /** All factors are mirrored. */
  public static final String ALL = "*";

  /** Kinds of designs. */
  public enum Kind {
    /** What fits the number of factors and levels. */
    USUAL,
    /** All combinations. */
    FULL,
    /** A regular fraction, by runs, resolution or generators. */
    FRACTION,
    /** Partly aliased, for main effects. */
    PLACKETT_BURMAN,
    /** Main effects of many factors. */
    SCREENING,
    /** More than two levels. */
    ORTHOGONAL_ARRAY;

    /** @return as it is written: {@code plackett-burman} */
    public String key() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public DesignRequest {
    separate = List.copyOf(separate);
  }

  /** A design of a kind, with nothing else asked for. */
  public static DesignRequest of(Kind kind) {
    return new DesignRequest(kind, 0, 0, "", 1, "", 0, List.of());
  }

  /**
   * Reads a request.
   *
   * @param text empty for the usual design
   * @throws DesignException when it is no request; the message lists the kinds
   */
  public static DesignRequest parse(String text) {
    DesignRequest request = of(Kind.USUAL);
    for (String part : text.split("[;\n]")) {
      if (!part.isBlank()) {
        request = request.with(part.trim());
      }
    }
    return request;
  }

  private DesignRequest with(String part) {
    String lower = part.toLowerCase(Locale.ROOT);
    for (Kind each : Kind.values()) {
      if (lower.equals(each.key())) {
        return new DesignRequest(each, runs, resolution, generators, blocks, foldover,
            centrePoints, separate);
      }
    }
    if (lower.matches("resolution\\s+\\S+")) {
      return with("resolution=" + part.substring("resolution".length()).trim());
    }
    if (lower.matches("\\d+\\s+runs")) {
      return with("runs=" + part.split("\\s+")[0]);
    }
    int equals = part.indexOf('=');
    String key = equals < 0 ? lower : lower.substring(0, equals).trim();
    String value = equals < 0 ? "" : part.substring(equals + 1).trim();
    return switch (key) {
      case "runs" -> new DesignRequest(kind == Kind.USUAL ? Kind.FRACTION : kind,
          number(part, value, 2), resolution, generators, blocks, foldover, centrePoints,
          separate);
      case "resolution" -> new DesignRequest(kind == Kind.USUAL ? Kind.FRACTION : kind, runs,
          roman(part, value), generators, blocks, foldover, centrePoints, separate);
      case "generators" -> withGenerators(value);
      case "blocks" -> new DesignRequest(kind, runs, resolution, generators,
          number(part, value, 1), foldover, centrePoints, separate);
      case "foldover" -> new DesignRequest(kind, runs, resolution, generators, blocks,
          value.isEmpty() ? ALL : value, centrePoints, separate);
      case "centre", "center" -> new DesignRequest(kind, runs, resolution, generators, blocks,
          foldover, number(part, value, 0), separate);
      case "separate" -> new DesignRequest(kind, runs, resolution, generators, blocks, foldover,
          centrePoints, Stream.of(value.split(",")).map(String::trim)
              .filter(term -> !term.isEmpty()).toList());
      default -> {
        if (equals > 0) {
          yield withGenerators(part);
        }
        throw new DesignException("there is no design \"" + part + "\"; the designs are "
            + Stream.of(Kind.values()).map(Kind::key).collect(Collectors.joining(", "))
            + ", resolution IV, 16 runs, and generators as in E=ABCD");
      }
    };
  }

  private DesignRequest withGenerators(String more) {
    return new DesignRequest(kind == Kind.USUAL ? Kind.FRACTION : kind, runs, resolution,
        generators.isEmpty() ? more : generators + "," + more, blocks, foldover, centrePoints,
        separate);
  }

  private static int number(String part, String value, int least) {
    if (!value.matches("\\d{1,6}") || Integer.parseInt(value) < least) {
      throw new DesignException("\"" + part + "\" needs a number of at least " + least);
    }
    return Integer.parseInt(value);
  }

  private static int roman(String part, String value) {
    for (int number = 3; number <= 12; number++) {
      if (value.equalsIgnoreCase(Fraction.roman(number)) || value.equals("" + number)) {
        return number;
      }
    }
    throw new DesignException("\"" + part + "\" is not a resolution; resolutions are III, IV, V "
        + "and so on");
  }

  /** @return text that {@link #parse} reads as this request */
  public String text() {
    List<String> parts = new ArrayList<>();
    parts.add(kind.key());
    if (runs > 0) {
      parts.add("runs=" + runs);
    }
    if (resolution > 0) {
      parts.add("resolution=" + Fraction.roman(resolution));
    }
    if (!generators.isEmpty()) {
      parts.add("generators=" + generators);
    }
    if (blocks > 1) {
      parts.add("blocks=" + blocks);
    }
    if (!foldover.isEmpty()) {
      parts.add(foldover.equals(ALL) ? "foldover" : "foldover=" + foldover);
    }
    if (centrePoints > 0) {
      parts.add("centre=" + centrePoints);
    }
    if (!separate.isEmpty()) {
      parts.add("separate=" + String.join(",", separate));
    }
    return String.join("; ", parts);
  }

  /**
   * Makes the design.
   *
   * @param names of the factors
   * @param levels of all factors
   * @throws DesignException when there is no such design, with what there is instead
   */
  public PlannedDesign make(List<String> names, int levels) {
    return new DesignMaker(this, names, levels).make();
  }
}
