package org.parallax.analysis.time;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.parallax.analysis.internal.KeptFiles;
import org.parallax.trace.IndexPlace;
import org.parallax.trace.ThreadTrace;

/**
 * The metrics of threads over time, kept on disk beside the events in a file for each thread, as soon as its events were
 * read ({@link KeptFiles}). So work that is ended goes on with the other threads the next time. All methods can be called
 * from any thread.
 */
final class TimesFiles {
  /** To be increased when what is counted, or how it is written, changes; new metrics do so by their names. */
  private static final int VERSION = 2;
  /** Larger ones are not kept. */
  private static final long MOST_BYTES = 1L << 29;

  private final KeptFiles files = new KeptFiles(version());

  private static int version() {
    String metrics = String.join(",", Arrays.stream(ThreadMetric.values()).map(ThreadMetric::key).toList());
    CRC32C crc = new CRC32C();
    crc.update(("times " + ThreadTimes.STEP + " " + metrics).getBytes(StandardCharsets.UTF_8));
    return VERSION + 31 * (int) crc.getValue();
  }

  /** @return null if there is no file of exactly these events */
  ThreadTimes read(ThreadTrace thread) {
    IndexPlace place = IndexPlace.of(thread);
    return place == null ? null
        : files.read(place.file(), place.identity(), in -> ThreadTimes.read(thread.process(), thread, in));
  }

  /** Keeps the metrics of a thread, unless its events are damaged or can change. After a failure nothing is tried again. */
  void write(ThreadTimes times) {
    IndexPlace place = IndexPlace.of(times.thread());
    if (place != null && times.sizeBytes() <= MOST_BYTES && IndexPlace.isWhole(times.thread())) {
      files.write(place.file(), place.identity(), times::write);
    }
  }

  /** @return why a file could not be written; empty if all could */
  List<String> warnings() {
    return files.warnings();
  }
}
