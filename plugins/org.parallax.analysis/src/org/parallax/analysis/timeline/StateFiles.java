package org.parallax.analysis.timeline;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.parallax.analysis.internal.KeptFiles;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.model.program.Procedures;
import org.parallax.trace.IndexPlace;

/**
 * What threads do when, kept on disk beside the events in a file for each thread, as soon as its events were read
 * ({@link KeptFiles}, {@link StateIndex}). All methods can be called from any thread.
 */
final class StateFiles {
  static final String SUFFIX = ".states";
  /** To be increased when what is kept, or how it is written, changes. */
  private static final int VERSION = 0x54530001;

  private final Procedures procedures;
  private final int stepEvents;
  private final KeptFiles files = new KeptFiles(VERSION);

  StateFiles(Procedures procedures, int stepEvents) {
    this.procedures = procedures;
    this.stepEvents = stepEvents;
  }

  /** @return where something is kept of the events of a thread beside others */
  static Path file(IndexPlace place, String suffix) {
    return place.file().resolveSibling(place.file().getFileName() + suffix);
  }

  /** @return of the events of a thread, of their steps, and of its procedures as far as they are kept */
  byte[] identity(ThreadRecord record, IndexPlace place) {
    try {
      MessageDigest hash = MessageDigest.getInstance("SHA-256");
      hash.update(place.identity());
      hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(stepEvents).flip());
      StateIndex.identify(record, procedures, hash);
      return hash.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** @return null if there is no file of exactly these events and procedures */
  StateIndex read(ThreadRecord record) {
    IndexPlace place = IndexPlace.of(record.thread());
    return place == null ? null : files.read(file(place, SUFFIX), identity(record, place),
        in -> StateIndex.read(record, procedures, stepEvents, in));
  }

  /** Keeps what was read from the events of a thread, unless they are damaged or can change. */
  void write(ThreadRecord record, StateIndex index) {
    IndexPlace place = IndexPlace.of(record.thread());
    if (place != null && IndexPlace.isWhole(record.thread())) {
      files.write(file(place, SUFFIX), identity(record, place), index::write);
    }
  }

  /** @return why a file could not be written; empty if all could */
  List<String> warnings() {
    return files.warnings();
  }
}
