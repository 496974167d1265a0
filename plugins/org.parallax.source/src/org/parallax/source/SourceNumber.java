package org.parallax.source;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.source.SampleInterval;
import org.parallax.analysis.source.SourceLines;
import org.parallax.analysis.source.SourceLines.Numbers;
import org.parallax.analysis.source.SourceLines.Part;
import org.parallax.analysis.text.Quantity;

/** A number that the ruler shows of a line. */
enum SourceNumber {
  EXCLUSIVE(null) {
    @Override
    long of(Numbers numbers) {
      return numbers.exclusiveNs();
    }
  },
  INCLUSIVE(null) {
    @Override
    long of(Numbers numbers) {
      return numbers.inclusiveNs();
    }
  },
  CPU(null) {
    @Override
    long of(Numbers numbers) {
      return numbers.cpuNs();
    }
  },
  PATH(Part.PATH) {
    @Override
    long of(Numbers numbers) {
      return numbers.pathNs();
    }

    @Override
    long whole(SourceLines source) {
      return source.pathNs();
    }

    @Override
    String text(Numbers numbers, SourceLines source) {
      return percent(source.pathPercent(numbers));
    }

    @Override
    String unit(long most) {
      return "%";
    }

    @Override
    String cell(Numbers numbers, SourceLines source, String unit) {
      double percent = source.pathPercent(numbers);
      return percent < 0.05 ? "<.1" : String.format(Locale.ROOT, "%.1f", percent);
    }
  },
  WAIT(Part.WAITS) {
    @Override
    long of(Numbers numbers) {
      return numbers.waitNs();
    }
  },
  SAMPLES(null) {
    @Override
    long of(Numbers numbers) {
      return numbers.samples();
    }

    @Override
    String text(Numbers numbers, SourceLines source) {
      return String.format(Locale.ROOT, "%,d", numbers.samples());
    }

    @Override
    long whole(SourceLines source) {
      return 0;
    }

    @Override
    String unit(long most) {
      return "";
    }

    @Override
    String cell(Numbers numbers, SourceLines source, String unit) {
      return text(numbers, source);
    }
  },
  /** How sure the exclusive time is. */
  INTERVAL(null) {
    @Override
    long of(Numbers numbers) {
      return numbers.samples() == 0 ? 0 : numbers.exclusiveNs();
    }

    @Override
    long whole(SourceLines source) {
      return 0;
    }

    @Override
    String text(Numbers numbers, SourceLines source) {
      SampleInterval interval = source.interval(numbers);
      return NLS.bind(Messages.between, time(interval.lowNs()), time(interval.highNs()));
    }

    @Override
    String cell(Numbers numbers, SourceLines source, String unit) {
      SampleInterval interval = source.interval(numbers);
      return inUnit(interval.lowNs(), unit) + "\u2013" + inUnit(interval.highNs(), unit);
    }
  },
  /** By how much a delay makes the program slower: {@link LineSensitivity} has it, and the trace has nothing of it. */
  SENSITIVITY(null) {
    @Override
    long of(Numbers numbers) {
      return 0;
    }

    @Override
    long whole(SourceLines source) {
      return 0;
    }

    @Override
    String unit(long most) {
      return "%";
    }
  };

  /** The preference that names the numbers that are shown, by commas. */
  static final String SHOWN = "numbers";
  /** The preference that names the number by which lines are hot. */
  static final String HEAT = "heat";

  /** What it needs besides the profile, or null. */
  private final Part part;

  SourceNumber(Part part) {
    this.part = part;
  }

  abstract long of(Numbers numbers);

  /** What all of the program has of it; 0 where that means nothing. */
  long whole(SourceLines source) {
    return source.totalNs();
  }

  /** As the ruler shows it, also where it is nothing. */
  String text(Numbers numbers, SourceLines source) {
    return time(of(numbers));
  }

  /** The unit of a column whose largest number is {@code most}; empty for none. */
  String unit(long most) {
    return Quantity.timeUnit(most).replace("us", "µs");
  }

  /** As the ruler shows it, in the unit of the column. */
  String cell(Numbers numbers, SourceLines source, String unit) {
    return inUnit(of(numbers), unit);
  }

  private static String inUnit(long ns, String unit) {
    double value = switch (unit) {
      case "s" -> ns / 1e9;
      case "ms" -> ns / 1e6;
      case "µs" -> ns / 1e3;
      default -> ns;
    };
    return ns == 0 ? "0" : unit.equals("ns") ? Long.toString(ns)
        : value < 0.005 ? "<.01" : digits(value);
  }

  /** The heading of its column, as short as can be. */
  String heading(String unit) {
    String name = switch (this) {
      case EXCLUSIVE -> Messages.headExclusive;
      case INCLUSIVE -> Messages.headInclusive;
      case CPU -> Messages.headCpu;
      case PATH -> Messages.headPath;
      case WAIT -> Messages.headWait;
      case SAMPLES -> Messages.headSamples;
      case INTERVAL -> Messages.headInterval;
      case SENSITIVITY -> Messages.headSensitivity;
    };
    return unit.isEmpty() ? name : name + " " + unit;
  }

  /** For people, in the language of the workbench. */
  String label() {
    return switch (this) {
      case EXCLUSIVE -> Messages.exclusive;
      case INCLUSIVE -> Messages.inclusive;
      case CPU -> Messages.cpu;
      case PATH -> Messages.path;
      case WAIT -> Messages.wait;
      case SAMPLES -> Messages.samples;
      case INTERVAL -> Messages.interval;
      case SENSITIVITY -> Messages.sensitivity;
    };
  }

  /** Three digits and a unit. */
  static String time(long ns) {
    return ns == 0 ? "0" : ns >= 1_000_000_000L ? digits(ns / 1e9) + " s"
        : ns >= 1_000_000L ? digits(ns / 1e6) + " ms"
        : ns >= 1_000L ? digits(ns / 1e3) + " µs" : ns + " ns";
  }

  private static String digits(double value) {
    return String.format(Locale.ROOT,
        value >= 99.95 ? "%,.0f" : value >= 9.995 ? "%.1f" : "%.2f", value);
  }

  static String percent(double value) {
    return value > 0 && value < 0.05 ? "<0.1 %" : String.format(Locale.ROOT, "%.1f %%", value);
  }

  /** The numbers that a person has chosen, in the order of their declaration. */
  static List<SourceNumber> shown() {
    List<String> names = List.of(
        SourcePreferences.store().getString(SHOWN).split(","));
    return Arrays.stream(values()).filter(number -> names.contains(number.name())).toList();
  }

  static void show(List<SourceNumber> numbers) {
    SourcePreferences.store().setValue(SHOWN,
        String.join(",", numbers.stream().map(SourceNumber::name).toList()));
  }

  /** The number by which lines are hot. */
  static SourceNumber heat() {
    String name = SourcePreferences.store().getString(HEAT);
    return Arrays.stream(values()).filter(number -> number.name().equals(name)).findFirst()
        .orElse(EXCLUSIVE);
  }

  /** What must be computed for what is shown. */
  static Set<Part> parts() {
    Set<Part> parts = EnumSet.noneOf(Part.class);
    shown().stream().filter(number -> number.part != null).forEach(each -> parts.add(each.part));
    if (heat().part != null) {
      parts.add(heat().part);
    }
    return parts;
  }

  /** Whether it is known of these numbers. */
  boolean isIn(Set<Part> parts) {
    return part == null || parts.contains(part);
  }
}
