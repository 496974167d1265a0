package org.parallax.record.profiles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.parallax.trace.ImportReport;
import org.parallax.trace.ProfileValues;
import org.parallax.trace.ProfileValues.Sum;
import org.parallax.trace.ProfileValues.Unit;
import org.parallax.trace.Progress;
import org.parallax.trace.Region.Group;

/**
 * Reads profiles of Cube 4 ({@code .cubex}), as Score-P, Scalasca and others write them: a tar archive with {@code anchor.xml}
 * and two members for each metric. Memory is at most {@value #MOST_TIMES} times the size of the file, and 1 MiB.
 */
public final class CubeReader {
  static final int MOST_TIMES = 100;
  private static final int CONSTANT_BYTES = 1 << 20;
  /** Arrays have so many bytes at most. */
  private static final int MOST_ANCHOR_BYTES = 1 << 30;
  private static final double NS_PER_SECOND = 1e9;
  private static final Map<String, Double> TIME_UNITS = Map.of("sec", NS_PER_SECOND, "s", NS_PER_SECOND, "seconds",
      NS_PER_SECOND, "msec", 1e6, "ms", 1e6, "usec", 1e3, "us", 1e3, "microseconds", 1e3, "nsec", 1.0, "ns", 1.0);
  private static final Set<String> COUNT_UNITS = Set.of("occ", "#", "count");
  private static final Set<String> WAITING_ROLES = Set.of("barrier", "implicit barrier", "critical", "critical sblock",
      "lock", "taskwait", "task wait", "ordered", "flush");

  private final TarFile tar;
  private final Path path;
  private final CubeAnchor anchor;
  private final Profile profile;
  private final WarningList warnings = new WarningList();
  /** The node of the profile for each of the file's call tree. */
  private int[] places = new int[0];
  private int[] parents = new int[0];
  /** The file's nodes in the order of the rows of inclusive metrics. */
  private int[] wide = new int[0];
  /** The number of each location in a row. */
  private int[] columns = new int[0];

  private CubeReader(TarFile tar, Path path, CubeAnchor anchor) {
    this.tar = tar;
    this.path = path;
    this.anchor = anchor;
    String creator = anchor.attributes.getOrDefault("Creator", "");
    profile = new Profile("Cube " + anchor.version + (creator.isEmpty() ? "" : " by " + creator), program());
  }

  /**
   * Reads a profile as far as it can be read.
   *
   * @throws IOException when nothing can be read of it, and why
   */
  public static Profile read(Path path, Progress progress) throws IOException {
    long mostBytes = Math.min(MOST_ANCHOR_BYTES, MOST_TIMES * Files.size(path) + CONSTANT_BYTES);
    try (TarFile tar = new TarFile(path, mostBytes)) {
      TarFile.Member member = tar.find("anchor.xml");
      if (member == null) {
        throw new IOException(tar.fault().isEmpty() ? "it is no tar archive with a member anchor.xml"
            : "there is no member anchor.xml: " + tar.fault());
      }
      if (member.present() > MOST_ANCHOR_BYTES) {
        throw new IOException("its anchor.xml has " + member.size() + " bytes, the maximum is " + MOST_ANCHOR_BYTES);
      }
      byte[] xml = tar.read(member.offset(), (int) member.present());
      if (xml.length > 1 && (xml[0] & 0xff) == 0x1f && (xml[1] & 0xff) == 0x8b) {
        xml = TarFile.unpack(xml, mostBytes);
      }
      CubeReader reader = new CubeReader(tar, path, CubeAnchor.read(xml));
      reader.read(mostBytes, progress);
      return reader.profile;
    }
  }

  /** The name of the call tree's only root, which Score-P calls as the executable; else that of the file. */
  private String program() {
    String root = "";
    for (CubeAnchor.Node node : anchor.nodes) {
      if (node.parent() < 0) {
        CubeAnchor.Region region = anchor.regions.get(node.region());
        root = !root.isEmpty() || region == null ? "main" : region.name();
      }
    }
    boolean isFunction = root.isEmpty() || root.toLowerCase(Locale.ROOT).startsWith("main") || root.equals("PROGRAM");
    return isFunction ? path.getFileName().toString().replaceFirst("\\.cubex$", "") : root;
  }

  private void read(long mostBytes, Progress progress) throws IOException {
    if (anchor.locations.isEmpty()) {
      throw new IOException("its anchor.xml has no locations");
    }
    if (!tar.fault().isEmpty()) {
      warnings.add(tar.fault());
    }
    addThreads();
    addNodes();
    readMetrics(mostBytes, progress);
    profile.records.add(new ImportReport.Count("Region", anchor.regions.size(), 0));
    profile.records.add(new ImportReport.Count("Call path", anchor.nodes.size(), 0));
    profile.records.add(new ImportReport.Count("Location", anchor.locations.size(), 0));
    profile.warnings.addAll(warnings.sentences());
  }

  private void addThreads() {
    boolean isMpi = anchor.regions.values().stream().anyMatch(each -> group(each) == Group.MPI);
    int[] processes = new int[anchor.groups.size()];
    int rank = 0;
    for (int i = 0; i < processes.length; i++) {
      CubeAnchor.Group group = anchor.groups.get(i);
      boolean isProcess = group.type().isEmpty() || group.type().equals("process");
      processes[i] = profile.processes.size();
      profile.processes.add(new Profile.Process(host(group.systemNode()), group.name(), isMpi && isProcess ? rank++ : -1));
    }
    boolean[] seen = new boolean[anchor.locations.size()];
    columns = new int[seen.length];
    boolean areNumbers = true;
    for (int i = 0; i < seen.length; i++) {
      CubeAnchor.Location location = anchor.locations.get(i);
      if (location.group() < 0) {
        processes = processes.length > 0 ? processes : new int[] {0};
        if (profile.processes.isEmpty()) {
          profile.processes.add(new Profile.Process(host(-1), "", -1));
        }
      }
      profile.threads.add(new Profile.Thread(processes[Math.max(0, location.group())], location.name()));
      int number = CubeAnchor.number(location.id());
      areNumbers &= number >= 0 && number < seen.length && !seen[number];
      columns[i] = areNumbers ? number : i;
      if (areNumbers) {
        seen[number] = true;
      }
    }
    if (!areNumbers) {
      Arrays.setAll(columns, i -> i);
    }
  }

  /** The node of the system that is a machine, else the lowest one. */
  private String host(int systemNode) {
    String lowest = "";
    for (int at = systemNode; at >= 0; at = anchor.systemNodes.get(at).parent()) {
      CubeAnchor.SystemNode node = anchor.systemNodes.get(at);
      if (Set.of("node", "host").contains(node.kind()) && !node.name().isEmpty()) {
        return node.name();
      }
      lowest = lowest.isEmpty() ? node.name() : lowest;
    }
    return lowest.isEmpty() ? "unknown" : lowest;
  }

  private static Group group(CubeAnchor.Region region) {
    String paradigm = region.paradigm();
    String name = region.name();
    if (paradigm.equals("mpi") || paradigm.isEmpty() && name.startsWith("MPI_")) {
      return Group.MPI;
    }
    if (paradigm.equals("pthread") || paradigm.isEmpty() && name.startsWith("pthread_")) {
      return Group.PTHREAD;
    }
    if (paradigm.equals("openmp") && WAITING_ROLES.contains(region.role())) {
      return Group.OPENMP;
    }
    return paradigm.equals("io") || paradigm.equals("posix_io") || paradigm.equals("iso_c_io") ? Group.FILE : Group.USER;
  }

  private void addNodes() {
    int count = anchor.nodes.size();
    Map<String, Integer> codes = new HashMap<>();
    places = new int[count];
    parents = new int[count];
    int[] depths = new int[count];
    for (int node = 0; node < count; node++) {
      CubeAnchor.Node original = anchor.nodes.get(node);
      int parent = original.parent();
      parents[node] = parent;
      depths[node] = parent < 0 ? 1 : depths[parent] + 1;
      places[node] = depths[node] > Profile.DEEPEST ? places[parent]
          : profile.addNode(parent < 0 ? -1 : places[parent], codes.computeIfAbsent(original.region(), this::addCode));
    }
    wide = wideOrder(parents);
  }

  private int addCode(String id) {
    CubeAnchor.Region region = anchor.regions.get(id);
    if (region == null) {
      warnings.add("call paths name the region " + id + ", which is not defined");
      region = new CubeAnchor.Region("[region " + id + "]", "", 0, "", "");
    }
    profile.code.add(new Profile.Code(region.name().isEmpty() ? "[region " + id + "]" : region.name(), region.file(),
        Math.max(0, region.line()), group(region)));
    return profile.code.size() - 1;
  }

  /**
   * The order of rows of inclusive metrics: the children of a node have neighbouring rows; nodes are asked for their children
   * in the order of the file.
   */
  static int[] wideOrder(int[] parents) {
    int count = parents.length;
    int[] firstChild = new int[count];
    int[] nextSibling = new int[count];
    Arrays.fill(firstChild, -1);
    Arrays.fill(nextSibling, -1);
    for (int node = count - 1; node >= 0; node--) {
      if (parents[node] >= 0) {
        nextSibling[node] = firstChild[parents[node]];
        firstChild[parents[node]] = node;
      }
    }
    int[] order = new int[count];
    int next = 0;
    for (int node = 0; node < count; node++) {  // the file's order visits nodes before what is below them
      if (parents[node] < 0) {
        order[next++] = node;
      }
      for (int child = firstChild[node]; child >= 0; child = nextSibling[child]) {
        order[next++] = child;
      }
    }
    return order;
  }

  private void readMetrics(long mostBytes, Progress progress) throws IOException {
    List<String> unread = new ArrayList<>();
    List<String> tooLarge = new ArrayList<>();
    long left = mostBytes;
    progress.begin("Reading " + path, anchor.metrics.size());
    for (CubeAnchor.Metric metric : anchor.metrics) {
      progress.check();
      CubeRows.DataType type = CubeRows.type(metric.dataType());
      boolean isStored = metric.type().isEmpty() || metric.type().equals("INCLUSIVE") || metric.type().equals("EXCLUSIVE");
      long bytes = type == null ? 0 : CubeRows.bytes(tar, metric.id(), type, columns.length);
      if (!isStored || type == null) {
        unread.add(metric.name());
      } else if (bytes > left) {
        tooLarge.add(metric.name());
      } else {
        CubeRows rows = CubeRows.read(tar, metric.id(), type, parents.length, columns.length, warnings);
        if (rows != null) {
          left -= bytes;
          add(metric, rows);
        }
      }
      progress.worked(1);
    }
    if (!unread.isEmpty()) {
      warnings.add("these metrics are derived from others, or are no numbers, and are left out: " + String.join(", ", unread));
    }
    if (!tooLarge.isEmpty()) {
      warnings.add("these metrics take more than " + MOST_TIMES + " times the size of the file and are left out: "
          + String.join(", ", tooLarge));
    }
    profile.records.add(new ImportReport.Count("Metric", anchor.metrics.size(), unread.size() + tooLarge.size()));
    if (profile.timeNs.length == 0) {
      warnings.add("the profile has no metric time: all times are 0");
    }
  }

  private void add(CubeAnchor.Metric metric, CubeRows rows) {
    boolean isInclusive = metric.type().equals("INCLUSIVE");
    Sum sum = metric.dataType().equals("MINDOUBLE") ? Sum.MIN : metric.dataType().equals("MAXDOUBLE") ? Sum.MAX : Sum.SUM;
    double scale = TIME_UNITS.getOrDefault(metric.unit().toLowerCase(Locale.ROOT), 1.0);
    double[][] values = inTree(rows.values(), isInclusive, sum, scale);
    String name = metric.name().isEmpty() ? metric.label() : metric.name();
    String known = name.toLowerCase(Locale.ROOT);
    if (known.equals("time") && profile.timeNs.length == 0) {
      long negative = Profile.clampNegative(values);
      if (negative > 0) {
        warnings.add(negative + " times were below 0 without those of callees, and count as 0");
      }
      profile.timeNs = values;
    } else if (known.equals("visits") && profile.visits == null) {
      profile.visits = values;
    } else {
      add(metric, name, sum, values);
    }
    if (rows.least() != null) {
      add(metric, name + ".min", Sum.MIN, inTree(rows.least(), isInclusive, Sum.MIN, scale));
      add(metric, name + ".max", Sum.MAX, inTree(rows.most(), isInclusive, Sum.MAX, scale));
    }
  }

  private void add(CubeAnchor.Metric metric, String name, Sum sum, double[][] values) {
    String unit = metric.unit().toLowerCase(Locale.ROOT);
    boolean isWhole = metric.dataType().contains("INT");
    Unit known = TIME_UNITS.containsKey(unit) ? Unit.NS : unit.equals("bytes") ? Unit.BYTES
        : COUNT_UNITS.contains(unit) || isWhole && unit.isEmpty() ? Unit.COUNT : Unit.NUMBER;
    String shown = known == Unit.NUMBER && !unit.isEmpty() ? name + " [" + metric.unit() + "]" : name;
    profile.metrics.add(new Profile.Metric(new ProfileValues.Metric(shown, known, sum), values));
  }

  /** Values by nodes of the profile and threads, of each node without those below it. */
  private double[][] inTree(double[][] rows, boolean isInclusive, Sum sum, double scale) {
    double[][] values = new double[parents.length][];
    for (int row = 0; row < rows.length; row++) {
      if (rows[row] != null) {
        double[] own = new double[columns.length];
        for (int i = 0; i < own.length; i++) {
          own[i] = rows[row][columns[i]] * scale;
        }
        values[isInclusive ? wide[row] : row] = own;
        rows[row] = null;
      }
    }
    if (isInclusive && sum == Sum.SUM) {
      Profile.makeExclusive(values, parents);
    }
    return Profile.fold(values, places, profile.nodes(), sum);
  }
}
