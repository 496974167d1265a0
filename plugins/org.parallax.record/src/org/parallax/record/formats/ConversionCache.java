package org.parallax.record.formats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.parallax.trace.TraceException;

/**
 * Where the trace is that another tool's trace was converted into: the hidden directory {@code .NAME.parallax} beside
 * it or, if nothing can be written there, a directory in {@code $XDG_CACHE_HOME/parallax} ({@code ~/.cache}). It is
 * valid as long as the names, sizes and times of the files that it was converted from are the same. A conversion that
 * fails leaves nothing; of two at the same time, both work and one stays.
 */
final class ConversionCache {
  /** In a converted trace: what it was converted from. */
  private static final String SOURCE = "source";

  private static final int DELETE_ATTEMPTS = 20;
  private static final int DELETE_PAUSE_MS = 50;

  /** Writes a trace into a directory that exists and is empty. */
  interface Conversion {
    void into(Path directory) throws TraceException;
  }

  private final Path original;
  private final String version;
  private final List<Path> sources;

  /**
   * @param original names the trace
   * @param version of the conversion
   * @param sources the files and directories from which it is converted; they may be missing
   */
  ConversionCache(Path original, String version, List<Path> sources) {
    this.original = original.toAbsolutePath().normalize();
    this.version = version;
    this.sources = List.copyOf(sources);
  }

  /**
   * @return the directory of the converted trace, which is converted now unless it was before
   * @throws TraceException when the conversion fails, or there is no place for it
   */
  Path find(Conversion conversion) throws TraceException {
    try {
      String state = state();
      Path beside = original.resolveSibling("." + original.getFileName() + ".parallax");
      Path away = cacheDirectory().resolve(original.getFileName() + "-" + digest(original.toString()));
      for (Path place : List.of(beside, away)) {
        if (isValid(place, state)) {
          return place;
        }
      }
      boolean isOfOthers = Files.exists(beside) && !Files.isWritable(beside);
      return convert(Files.isWritable(beside.getParent()) && !isOfOthers ? beside : away, state, conversion);
    } catch (IOException e) {
      throw new TraceException("the trace " + original + " cannot be converted: " + e.getMessage(),
          "Check the free space and the permissions of its directory", e);
    }
  }

  private Path convert(Path place, String state, Conversion conversion) throws IOException, TraceException {
    Files.createDirectories(place.getParent());
    Path partial = Files.createTempDirectory(place.getParent(), place.getFileName() + ".");
    Thread atExit = new Thread(() -> deleteQuietly(partial), "delete " + partial);
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      conversion.into(partial);
      Files.writeString(partial.resolve(SOURCE), state);
      if (isValid(place, state)) {  // another one was faster, and is read already
        return place;
      }
      delete(place);
      Files.move(partial, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!isValid(place, state)) {  // else another one was faster
        throw e;
      }
    } finally {
      deleteQuietly(partial);
      if (!Files.exists(partial)) {
        forget(atExit);
      }
    }
    return place;
  }

  /** After Ctrl-C or Cancel, a program that converts may still write for a moment. */
  private static void deleteQuietly(Path partial) {
    for (int attempt = 0; attempt < DELETE_ATTEMPTS; attempt++) {
      try {
        delete(partial);
        if (!Files.exists(partial)) {
          return;
        }
      } catch (IOException e) {
        // it is tried again
      }
      try {
        Thread.sleep(DELETE_PAUSE_MS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void forget(Thread atExit) {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // the hook runs
    }
  }

  private static boolean isValid(Path place, String state) {
    try {
      return Files.readString(place.resolve(SOURCE)).equals(state);
    } catch (IOException e) {
      return false;
    }
  }

  /** The version, and the name, size and time of each file. */
  private String state() throws IOException {
    StringBuilder state = new StringBuilder(version).append('\n');
    for (Path source : sources) {
      if (Files.isDirectory(source)) {
        try (var files = Files.list(source)) {
          for (Path file : files.sorted().toList()) {
            append(state, file);
          }
        }
      } else {
        append(state, source);
      }
    }
    return version + " " + original + " " + digest(state.toString()) + "\n";
  }

  private static void append(StringBuilder state, Path file) throws IOException {
    if (Files.exists(file)) {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      state.append(file.getFileName()).append(' ').append(attributes.size()).append(' ')
          .append(attributes.lastModifiedTime()).append('\n');
    }
  }

  private static Path cacheDirectory() {
    String named = System.getenv("XDG_CACHE_HOME");
    Path caches = named == null || named.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(named);
    return caches.resolve("parallax");
  }

  private static String digest(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.deleteIfExists(directory.resolve(SOURCE));  // from now on, it is not valid
    Files.walkFileTree(directory, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path folder, IOException fault) throws IOException {
        Files.delete(folder);
        return FileVisitResult.CONTINUE;
      }
    });
  }
}
