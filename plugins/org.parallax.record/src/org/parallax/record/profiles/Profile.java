package org.parallax.record.profiles;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.parallax.trace.ImportReport;
import org.parallax.trace.ProfileValues;
import org.parallax.trace.ProfileValues.Sum;
import org.parallax.trace.Region.Group;

/** A profile of another tool: values of metrics by call path and thread, each call path without those below it. */
public final class Profile {
  /** Deeper call paths count for the one of this depth above them, as in recorded traces. */
  static final int DEEPEST = 1024;

  /**
   * What call paths are made of.
   *
   * @param line 0 if unknown
   * @param group USER for a function, else to what a routine belongs
   */
  public record Code(String name, String file, int line, Group group) {}

  /** @param rank in MPI_COMM_WORLD, -1 for others */
  public record Process(String host, String name, int rank) {}

  /** @param process index of it */
  public record Thread(int process, String name) {}

  /**
   * A metric.
   *
   * @param rows for each node of the call tree its values by thread, in the metric's unit; null for no values
   */
  public record Metric(ProfileValues.Metric what, double[][] rows) {}

  /** For people, such as "Cube 4.5 by Score-P 7.1". */
  final String format;
  final String program;
  final List<Code> code = new ArrayList<>();
  final List<Process> processes = new ArrayList<>();
  final List<Thread> threads = new ArrayList<>();
  final List<Metric> metrics = new ArrayList<>();
  /** Exclusive time in nanoseconds by node and thread. */
  double[][] timeNs = new double[0][];
  /** Visits by node and thread; null if the profile does not count them. */
  double[][] visits;
  final List<ImportReport.Count> records = new ArrayList<>();
  final List<String> warnings = new ArrayList<>();
  private int[] parents = new int[16];
  private int[] codes = new int[16];
  private int nodes;

  Profile(String format, String program) {
    this.format = format;
    this.program = program;
  }

  /**
   * @param parent a node that was added before, -1 for none
   * @return the number of the new node
   */
  int addNode(int parent, int codeIndex) {
    if (nodes == parents.length) {
      parents = Arrays.copyOf(parents, 2 * nodes);
      codes = Arrays.copyOf(codes, 2 * nodes);
    }
    parents[nodes] = parent;
    codes[nodes] = codeIndex;
    return nodes++;
  }

  public int nodes() {
    return nodes;
  }

  /** @return the node above, -1 for none; always a lower number */
  public int parent(int node) {
    return parents[node];
  }

  public Code codeOf(int node) {
    return code.get(codes[node]);
  }

  int codeIndex(int node) {
    return codes[node];
  }

  /** @return exclusive time in nanoseconds */
  public double timeNs(int node, int thread) {
    return at(timeNs, node, thread);
  }

  /** @return -1 if not known */
  public double visits(int node, int thread) {
    return visits == null ? -1 : at(visits, node, thread);
  }

  public List<Metric> metrics() {
    return metrics;
  }

  public List<Thread> threads() {
    return threads;
  }

  public List<Process> processes() {
    return processes;
  }

  public List<String> warnings() {
    return warnings;
  }

  static double at(double[][] rows, int node, int thread) {
    return node >= rows.length || rows[node] == null ? 0 : rows[node][thread];
  }

  /** Gives each node without an inclusive value the sum of its children's: a profile may leave out what only calls others. */
  static void fillInclusive(double[][] rows, int[] parents, int width) {
    double[][] below = new double[rows.length][];
    for (int node = rows.length - 1; node >= 0; node--) {
      double[] children = below[node];
      below[node] = null;
      if (children != null) {
        rows[node] = rows[node] == null ? new double[width] : rows[node];
        for (int i = 0; i < width; i++) {
          rows[node][i] = rows[node][i] == 0 ? children[i] : rows[node][i];
        }
      }
      int parent = parents[node];
      if (parent >= 0 && rows[node] != null) {
        below[parent] = below[parent] == null ? new double[width] : below[parent];
        for (int i = 0; i < width; i++) {
          below[parent][i] += rows[node][i];
        }
      }
    }
  }

  /** Subtracts from each node what its children have; all are read before any is changed, as parents come first. */
  static void makeExclusive(double[][] rows, int[] parents) {
    for (int node = 0; node < rows.length; node++) {
      int parent = parents[node];
      if (parent >= 0 && rows[node] != null) {
        double[] above = rows[parent];
        if (above == null) {
          above = new double[rows[node].length];
          rows[parent] = above;
        }
        for (int i = 0; i < above.length; i++) {
          above[i] -= rows[node][i];
        }
      }
    }
  }

  /** @return how many values were below 0, which are 0 now */
  static long clampNegative(double[][] rows) {
    long negative = 0;
    for (double[] row : rows) {
      for (int i = 0; row != null && i < row.length; i++) {
        if (!(row[i] >= 0)) {
          negative += row[i] < -0.5 ? 1 : 0;  // less is the rounding of differences
          row[i] = 0;
        }
      }
    }
    return negative;
  }

  /**
   * @param places for each row the one that it belongs to
   * @return as many rows as there are places; rows of the same place are joined
   */
  static double[][] fold(double[][] rows, int[] places, int count, Sum sum) {
    if (count == rows.length) {
      return rows;
    }
    double[][] folded = new double[count][];
    for (int row = 0; row < rows.length; row++) {
      double[] other = rows[row];
      double[] at = folded[places[row]];
      if (at == null) {
        folded[places[row]] = other;
      } else if (other != null) {
        for (int i = 0; i < at.length; i++) {
          at[i] = sum == Sum.SUM ? at[i] + other[i] : sum == Sum.MIN ? Math.min(at[i], other[i]) : Math.max(at[i], other[i]);
        }
      }
    }
    return folded;
  }
}
