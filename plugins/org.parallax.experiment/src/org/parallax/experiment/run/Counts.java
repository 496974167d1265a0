package org.parallax.experiment.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the agent did at each point of a trial, summed over threads and processes: the file that the
 * plan names as its result.
 */
final class Counts {
  private static final byte[] MAGIC = "PLXPERT1".getBytes(StandardCharsets.US_ASCII);
  private static final String PROBLEMS = ".problems";
  private static final int HEADER = 64;
  private static final int SHARD_HEADER = 16;
  private static final int POINT = 32;

  private final int ids;
  private final long[] count;
  private final long[] requestedNs;
  private final long[] achievedNs;
  private final long[] skipped;
  private long virtualDelayNs;

  private Counts(int ids, int factors) {
    this.ids = ids;
    int points = ids + factors;
    count = new long[points];
    requestedNs = new long[points];
    achievedNs = new long[points];
    skipped = new long[points];
  }

  /**
   * The files of all hosts: processes of another one count beside the file, as {@code FILE@HOST}.
   *
   * @return empty when no process of the trial had the agent
   */
  static List<Path> files(Path file) throws IOException {
    String others = file.getFileName() + "@";
    try (Stream<Path> beside = Files.list(file.getParent())) {
      return beside.filter(path -> {
        String name = path.getFileName().toString();
        return path.equals(file) || name.startsWith(others) && !name.endsWith(PROBLEMS);
      }).sorted().toList();
    }
  }

  /**
   * Reads a counts file and those of other hosts.
   *
   * @param ids greater than each id of a point
   * @param factors of the plan; where it has virtual speed-ups each has a number after those ids
   * @return all zero when there is none: no process of the trial had the agent
   * @throws ExperimentException when it is damaged
   */
  static Counts read(Path file, int ids, int factors) throws IOException, ExperimentException {
    Counts counts = new Counts(ids, factors);
    for (Path one : files(file)) {
      counts.add(one);
    }
    return counts;
  }

  private void add(Path file) throws IOException, ExperimentException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.capacity() < HEADER) {
      throw new ExperimentException("the counts " + file + " are truncated");
    }
    for (int i = 0; i < MAGIC.length; i++) {
      if (bytes.get(i) != MAGIC[i]) {
        throw new ExperimentException(file + " has no counts of perturbations");
      }
    }
    int stored = bytes.getInt(8);
    long shards = bytes.getInt(12);
    long shardBytes = SHARD_HEADER + (long) stored * POINT;
    if (stored < ids || HEADER + shards * shardBytes > bytes.capacity()) {
      throw new ExperimentException("the counts " + file + " are truncated");
    }
    virtualDelayNs = Math.max(virtualDelayNs, bytes.getLong(24));
    for (long shard = 0; shard < shards; shard++) {
      for (int point = 0; point < Math.min(stored, count.length); point++) {
        int at = (int) (HEADER + shard * shardBytes + SHARD_HEADER + (long) point * POINT);
        count[point] += bytes.getLong(at);
        requestedNs[point] += bytes.getLong(at + 8);
        achievedNs[point] += bytes.getLong(at + 16);
        skipped[point] += bytes.getLong(at + 24);
      }
    }
  }

  /** What was wrong with points on any host, one text each; empty when nothing was. */
  static List<String> problems(Path file) throws IOException {
    List<String> texts = new ArrayList<>();
    try (Stream<Path> beside = Files.list(file.getParent())) {
      for (Path path : beside.sorted().toList()) {
        String name = path.getFileName().toString();
        if (name.startsWith(file.getFileName().toString()) && name.endsWith(PROBLEMS)) {
          for (String line : Files.readAllLines(path)) {
            texts.add(line.substring(line.indexOf('\t') + 1));
          }
        }
      }
    }
    return texts;
  }

  /**
   * What processes printed that could not be perturbed: those of a host that does not see the files
   * of this one. The first line, or null.
   */
  static String unperturbed(Path errors) throws IOException {
    String text = new String(Files.readAllBytes(errors), StandardCharsets.UTF_8);
    return text.lines().filter(line -> line.contains("parallax: not perturbed on ")
        || line.contains("libparallax-agent.so' from LD_PRELOAD cannot be preloaded"))
        .map(String::strip).findFirst().orElse(null);
  }

  /** How often a point was reached. */
  long count(int point) {
    return count[point];
  }

  /** How often the code of a factor with a virtual speed-up was sampled. */
  long samples(int factor) {
    return count[ids + factor];
  }

  long requestedNs(int point) {
    return requestedNs[point];
  }

  long achievedNs(int point) {
    return achievedNs[point];
  }

  /** How often a treatment could not be applied. */
  long skipped(int point) {
    return skipped[point];
  }

  /** By how much virtual speed-ups made the trial longer than it would have been, in nanoseconds. */
  long virtualDelayNs() {
    return virtualDelayNs;
  }
}
