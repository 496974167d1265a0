package org.parallax.experiment.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.parallax.model.Experiment;
import org.parallax.model.files.ExperimentFile;
import org.parallax.trace.TraceException;

/** Prevents other processes from running or changing an experiment. The lock also ends with the process. */
public final class ExperimentLock implements AutoCloseable {
  private final Path file;
  private final FileChannel channel;

  private ExperimentLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes the lock of an experiment; the lock file is in the directory of its trials.
   *
   * @throws ExperimentException when another holds it, or the directory cannot be written
   */
  public static ExperimentLock of(Path file) throws ExperimentException {
    Path directory = ExperimentFile.trials(file);
    try {
      Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(
          PosixFilePermissions.fromString("rwx------")));
      FileChannel channel = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE,
          StandardOpenOption.WRITE);
      if (!isFree(channel)) {
        channel.close();
        throw new ExperimentException("trials of " + file + " are already running, in another "
            + "\"perturb run\" or in Eclipse; wait for their end, or name another file");
      }
      return new ExperimentLock(file, channel);
    } catch (IOException e) {
      throw new ExperimentException("cannot store trials in " + directory + ": "
          + Reasons.of(e), e);
    }
  }

  /** Reads the experiment after the lock is taken, because another process may have changed it before. */
  public Experiment read() throws TraceException {
    return ExperimentFile.read(file);
  }

  /** Throws an exception unless this is the lock of the file, and not released. */
  void check(Path other) {
    if (!file.equals(other) || !channel.isOpen()) {
      throw new IllegalArgumentException("not the lock of " + other);
    }
  }

  private static boolean isFree(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;  // of this process
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing was written.
    }
  }
}
