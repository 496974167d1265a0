package org.parallax.trace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects damage found while reading; safe for use by several threads. */
final class DamageLog {
  /** A damaged trace can have a great many: more than these are only counted. */
  private static final int MAX_ENTRIES = 1000;

  private final Set<String> entries = new LinkedHashSet<>();
  private long more;

  /** A block is lost, in whole or in part. */
  void add(Path file, long block, String fact) {
    add(file.getFileName() + ", block " + block + ": " + fact);
  }

  synchronized void add(String text) {
    if (entries.size() < MAX_ENTRIES) {
      entries.add(text);
    } else if (!entries.contains(text)) {
      more++;
    }
  }

  synchronized List<String> entries() {
    List<String> list = new ArrayList<>(entries);
    if (more > 0) {
      list.add("and " + more + " more");
    }
    return list;
  }
}
