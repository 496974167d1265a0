package org.parallax.studies;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Irvin and Miller 1993, section 5.3: a storage server with two clients. */
final class StorageStudy {
  private static final int THREADS = 10;
  /** The paper's Figure 10: threads on the server's path, with percent. */
  private static final String[][] PATH = {{"sm_server[2]", "33.72"}, {"sm_server[13]", "6.70"},
      {"sm_server[3]", "4.96"}, {"sm_server[17]", "4.00"}, {"sm_server[19]", "3.54"}, {"sm_server[10]", "3.48"},
      {"sm_server[7]", "3.37"}, {"sm_server[11]", "3.29"}, {"sm_server[18]", "3.16"}, {"sm_server[15]", "3.08"}};
  /** The paper's Figure 12: a function, its own seconds, and those of its descendants. */
  private static final String[][] TREE = {{"openLogDisk", "0.00", "5.20"}, {"regenLog", "1.80", "3.39"},
      {"io_MountVolume", "0.00", "0.01"}, {"openLogFile", "0.00", "0.00"}, {"linkVolume", "0.00", "0.00"}};
  private static final int REGEN_LOG = 1;

  private StorageStudy() {
  }

  /** Prints the process with the most CPU time of a profile of processes, without the name of its machine. */
  static void printProcess(Path profile, PrintStream out) throws IOException {
    String name = "";
    double most = 0;
    for (Csv.Row row : Csv.read(profile).rows()) {
      if (row.number("cpu") > most) {
        most = row.number("cpu");
        name = row.text("name");
      }
    }
    out.println(name.replaceFirst("^[^:]*:", ""));
  }

  /** Figures 10 and 12. Reads path.csv (threads on the path) and tree.csv (call tree) in the folder. */
  static void print(Path folder, PrintStream out) throws IOException {
    printPath(Csv.read(folder.resolve("path.csv")), out);
    printTree(Csv.read(folder.resolve("tree.csv")), out);
  }

  private static void printPath(Csv path, PrintStream out) {
    out.printf("Threads on the server's intra-application critical path, and Figure 10 of the paper:%n%n");
    out.printf("%-72s %8s %7s   %s%n", "", "time [s]", "%time", "the paper, %time");
    out.printf("%-72s %8s %7s   %s%n", "TOTAL LENGTH",
        Numbers.seconds(path.rows().stream().mapToLong(row -> row.ns("time")).sum(), 4), "", "18.65 s");
    for (int i = 0; i < Math.min(THREADS, path.rows().size()); i++) {
      Csv.Row row = path.rows().get(i);
      out.printf("%-72s %8s %7s   %-14s %6s%n", row.text("name"), Numbers.seconds(row.ns("time"), 4),
          Numbers.fixed(row.number("percent"), 2), PATH[i][0], PATH[i][1]);
    }
  }

  private static void printTree(Csv tree, PrintStream out) {
    long all = 0;
    long[] own = new long[TREE.length];
    long[] below = new long[TREE.length];
    for (Csv.Row row : tree.rows()) {
      long cpu = row.ns("cpu");
      all += cpu;
      List<String> frames = Names.frames(row.text("path")).stream().map(Names::base).toList();
      for (int i = 0; i < TREE.length; i++) {
        int depth = frames.indexOf(TREE[i][0]);
        if (depth == frames.size() - 1) {
          own[i] += cpu;
        } else if (depth >= 0) {
          below[i] += cpu;
        }
      }
    }
    out.printf("%nWhat the main thread of the server did, which receives all requests (sm_server[0]; the paper's%n");
    out.printf("sm_server[2]): the call tree of its CPU time, and Figure 12 of the paper:%n%n");
    out.printf("%-20s %8s %10s %12s   %10s %12s%n", "", "%time", "self [s]", "descendants", "paper self",
        "descendants");
    for (int i = 0; i < TREE.length; i++) {
      out.printf("%-20s %8s %10s %12s   %10s %12s%n", TREE[i][0],
          Numbers.fixed((own[i] + below[i]) * 100.0 / all, 2), Numbers.seconds(own[i], 3),
          Numbers.seconds(below[i], 3), TREE[i][1], TREE[i][2]);
    }
    out.printf("%-20s %8s %10s %12s   (82.53 %% of %%time in openLogDisk in the paper)%n", "(whole thread)", "100.00",
        "", Numbers.seconds(all, 3));
    if (own[REGEN_LOG] + below[REGEN_LOG] <= 0) {
      throw new Failure("regenLog is not in the call tree of the server's main thread");
    }
  }
}
