package org.parallax.studies;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The study of a storage server once more, with PostgreSQL and two clients. */
final class ServerStudy {
  private static final Pattern RECOVERY = Pattern.compile("(?s).*\n\\[[0-9]+\\] +StartupXLOG .*");
  private static final String STARTUP = "CPU: server, startup";
  private static final String PLANTED = "pglz_compress";
  /** In percent of the consumer's path: what was planted takes more than this. */
  private static final double LEAST_SHARE = 3;
  private static final int WAITS = 6;

  private final Path folder;
  private final ServerNames names;
  private final PrintStream out;

  private ServerStudy(Path folder, String host, PrintStream out) throws IOException {
    this.folder = folder;
    this.out = out;
    names = new ServerNames(Files.readAllLines(folder.resolve("server.txt")), host);
  }

  /**
   * Reads in the folders postgresql (objects are compressed) and postgresql-external (they are not) of the folder:
   * server.txt (the log), path.csv, producer.csv, consumer.csv (critical paths by processes), procedures.csv (that of
   * the consumer by procedures), waits.csv and gprof.txt.
   */
  static void print(Path folder, String host, PrintStream out) throws IOException {
    ServerStudy study = new ServerStudy(folder.resolve("postgresql"), host, out);
    study.printPath(8, "The server's intra-application path, as Figure 10 (CPU time):", "path.csv");
    study.printRecovery();
    for (String client : new String[] {"producer", "consumer"}) {
      study.printPath(10, "The inter-application path of the " + client + ", as Figures 11 and 13 (CPU time):",
          client + ".csv");
    }
    study.printWaits();
    if (Csv.read(study.folder.resolve("path.csv")).rows().stream()
        .noneMatch(row -> study.names.in(row.text("name")).equals(STARTUP))) {
      throw new Failure("the recovery of the log, for which the server waits at first, is not on its path");
    }
    double with = study.plantedShare();
    double without = new ServerStudy(folder.resolve("postgresql-external"), host, out).plantedShare();
    out.printf("%nPlanted: the server compresses what the producer stores while it holds the row (pglz_compress). In"
        + " the%n");
    out.printf("producer's session that is %s %% of the consumer's path, and %s %% where objects are stored as they"
        + " are.%n", Numbers.fixed(with, 2), Numbers.fixed(without, 2));
    if (with <= LEAST_SHARE || without >= 0.005) {
      throw new Failure("the consumer's path does not name what was planted in the producer's session");
    }
  }

  /** A client has a session of its own for what it asks first: both are one row here. */
  private void printPath(int top, String title, String csv) throws IOException {
    Map<String, Long> time = new LinkedHashMap<>();
    long all = 0;
    for (Csv.Row row : Csv.read(folder.resolve(csv)).rows()) {
      String name = row.text("name");
      String where = row.text("where");
      String label = row.text("kind").equals("CPU") && !name.startsWith("CPU: ")
          ? String.format("%-34s %s", name, where.equals("ALL:ALL") ? "(several)" : names.in(where))
          : names.in(name);
      time.merge(label, row.ns("time"), Long::sum);
      all += row.ns("time");
    }
    out.printf("%n%s%n%n  %-78s %9s %6s%n", title, "", "time [s]", "%time");
    double whole = all;
    time.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed()).limit(top)
        .forEach(row -> out.printf("  %-78s %9s %6s%n", row.getKey(), Numbers.seconds(row.getValue(), 4),
            Numbers.fixed(row.getValue() * 100 / whole, 2)));
    out.printf("  %-78s %9s%n", "TOTAL LENGTH", Numbers.seconds(all, 4));
  }

  /** The entry of what the server did first in the gprof table: who calls it, and what it calls. */
  private void printRecovery() throws IOException {
    out.printf("%nThe gprof table of the process that regenerates what the log holds, as Figure 12 of openLogDisk:"
        + "%n%n");
    String[] parts = Files.readString(folder.resolve("gprof.txt")).strip().split("\n\n+");
    boolean found = false;
    for (int i = 0; i < parts.length; i++) {
      if (i == 1) {
        out.printf("%s%n%n", parts[i]);
      }
      if (RECOVERY.matcher(parts[i]).matches()) {
        out.printf("%s%n", parts[i]);
        found = true;
      }
    }
    if (!found) {
      throw new Failure("the process that recovers the log is not in StartupXLOG");
    }
  }

  /** For what the sessions waited in the server, and what those did meanwhile for whom they waited. */
  private void printWaits() throws IOException {
    out.printf("%nWhat the sessions waited for within the server, in wall time, and who did what meanwhile:%n%n");
    Csv.read(folder.resolve("waits.csv")).rows().stream()
        .filter(row -> names.in(row.text("where")).contains("session of the")).limit(WAITS)
        .forEach(row -> out.printf("  %-30s %-16s %8s s, of it %8s s: %s in %s%n", names.in(row.text("where")),
            row.text("name"), Numbers.seconds(row.ns("time"), 4), Numbers.seconds(row.ns("originTime"), 4),
            names.in(row.text("origin")), row.text("originProcedure")));
  }

  /** @return what was planted in the producer's session, in percent of the consumer's path */
  private double plantedShare() throws IOException {
    long all = 0;
    long planted = 0;
    for (Csv.Row row : Csv.read(folder.resolve("procedures.csv")).rows()) {
      all += row.ns("time");
      if (row.text("name").equals(PLANTED)
          && names.in(row.text("where")).equals("server, session of the producer")) {
        planted += row.ns("time");
      }
    }
    return all == 0 ? 0 : planted * 100.0 / all;
  }
}
