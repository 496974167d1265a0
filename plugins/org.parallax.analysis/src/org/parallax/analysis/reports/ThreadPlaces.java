package org.parallax.analysis.reports;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.table.Names;
import org.parallax.model.program.Level;

/** Names of where threads are. Each text is made once: tables add up many more parts than programs have. */
final class ThreadPlaces {
  private final ApplicationAnalysis analysis;
  private final int threads;
  private final Map<Level, String[]> places = new EnumMap<>(Level.class);

  ThreadPlaces(ApplicationAnalysis analysis, List<ThreadRecord> records) {
    this.analysis = analysis;
    threads = records.size();
  }

  /** @return the name of the part of the program at this level that the thread belongs to */
  String of(ThreadRecord record, Level level) {
    String[] ofThreads = places.computeIfAbsent(level, key -> new String[threads]);
    if (ofThreads[record.index()] == null) {
      ofThreads[record.index()] = Names.where(analysis.thread(record), level);
    }
    return ofThreads[record.index()];
  }
}
