package org.parallax.trace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects damage found while reading, each once; safe for use by several threads. */
final class DamageLog implements DamageSink {
  /** A damaged trace can have a great many: more than these are only counted. */
  private static final int MAX_ENTRIES = 1000;

  private final Set<String> entries = new LinkedHashSet<>();
  private long more;

  @Override
  public void damage(Path file, long block, long byteOffset, String fact, String loss) {
    String place = block != NONE ? ", block " + block : byteOffset != NONE ? ", byte " + byteOffset
        : "";
    add(file.getFileName() + place + ": " + fact + "; lost: " + loss);
  }

  private synchronized void add(String text) {
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
