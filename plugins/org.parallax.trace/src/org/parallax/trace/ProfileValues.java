package org.parallax.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The metrics of a profile of another tool beside times and visits, by thread and call path: the file {@code profile} of a
 * converted profile, which FORMAT.md specifies.
 */
public final class ProfileValues {
  /** The file's name in a converted profile. */
  public static final String FILE_NAME = "profile";
  /** The first line, which has the version. */
  public static final String FIRST_LINE = "parallax-profile\t1";

  /** What values are. */
  public enum Unit {
    NS, BYTES, COUNT, NUMBER
  }

  /** How the value of several call paths or threads follows from theirs. */
  public enum Sum {
    SUM, MIN, MAX
  }

  /** @param name by which the tool that measured it knows it */
  public record Metric(String name, Unit unit, Sum sum) {}

  /** The values of a thread: parallel arrays. */
  public static final class Values {
    private int[] metrics = new int[4];
    private int[] paths = new int[4];
    private double[] numbers = new double[4];
    private int count;

    private void add(int metric, int path, double number) {
      if (count == metrics.length) {
        metrics = Arrays.copyOf(metrics, 2 * count);
        paths = Arrays.copyOf(paths, 2 * count);
        numbers = Arrays.copyOf(numbers, 2 * count);
      }
      metrics[count] = metric;
      paths[count] = path;
      numbers[count++] = number;
    }

    public int count() {
      return count;
    }

    /** @return index of the metric of a value */
    public int metric(int index) {
      return metrics[index];
    }

    /** @return number of the call path of a value, which the process may not have */
    public int path(int index) {
      return paths[index];
    }

    public double number(int index) {
      return numbers[index];
    }
  }

  private record Place(int pid, int thread) {}

  private static final Values NONE = new Values();
  private static final Set<String> UNITS = Set.of("ns", "bytes", "count", "number");
  private static final Set<String> SUMS = Set.of("sum", "min", "max");

  private final List<Metric> metrics = new ArrayList<>();
  private final Map<Place, Values> values = new HashMap<>();

  private ProfileValues() {}

  /** @return what can be read of the file; lines that are no part of it are left out */
  static ProfileValues read(Path directory) {
    ProfileValues profile = new ProfileValues();
    try (BufferedReader lines = Files.newBufferedReader(directory.resolve(FILE_NAME), StandardCharsets.ISO_8859_1)) {
      if (!FIRST_LINE.equals(lines.readLine())) {
        return profile;
      }
      Values at = new Values();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        at = profile.add(line.split("\t", -1), at);
      }
    } catch (IOException e) {
      // what was read until then
    }
    return profile;
  }

  private Values add(String[] fields, Values at) {
    try {
      if (fields[0].equals("metric") && fields.length == 4 && UNITS.contains(fields[2]) && SUMS.contains(fields[3])) {
        metrics.add(new Metric(new String(fields[1].getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8),
            Unit.valueOf(fields[2].toUpperCase(Locale.ROOT)), Sum.valueOf(fields[3].toUpperCase(Locale.ROOT))));
      } else if (fields[0].equals("thread") && fields.length == 3) {
        return values.computeIfAbsent(new Place(Integer.parseInt(fields[1]), Integer.parseInt(fields[2])),
            place -> new Values());
      } else if (fields.length == 3) {
        int metric = Integer.parseInt(fields[0]);
        double number = Double.parseDouble(fields[2]);
        if (metric >= 0 && metric < metrics.size() && !Double.isNaN(number)) {
          at.add(metric, Integer.parseInt(fields[1]), number);
        }
      }
    } catch (NumberFormatException e) {
      // it is no line of the file
    }
    return at;
  }

  public List<Metric> metrics() {
    return List.copyOf(metrics);
  }

  /** @return the values of a thread */
  public Values of(ProcessTrace process, ThreadTrace thread) {
    return values.getOrDefault(new Place(process.pid(), thread.id()), NONE);
  }
}
