package org.parallax.record;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * All processes of a recording: the recorder, what it started, and what has a variable of this
 * recording in its environment although somebody else started it, such as PVM's daemon. They end
 * together, also when this program is interrupted.
 */
public final class ProcessTree implements AutoCloseable {
  private static final long PATIENCE_MS = 2000;
  private static final long POLL_MS = 20;
  private static final long COMPLETION_S = 60;

  private final String variable;
  private final boolean completes;
  private final Process root;
  private final Thread hook = new Thread(this::endAtExit);
  private boolean isExiting;

  /**
   * Starts the recorder.
   *
   * @param variable with a value that no other recording has: {@code NAME=VALUE}; null if the recorder visits programs
   *     that it has not started: then only the recorder is ended, and what it has started to leave them lets go by itself
   * @param completes whether the recorder completes the trace when this program is told to end
   * @throws CancellationException when this program is ending already
   */
  public ProcessTree(ProcessBuilder recorder, String variable, boolean completes)
      throws IOException {
    this.variable = variable;
    this.completes = completes;
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      throw cancelled(e);
    }
    synchronized (this) {
      if (isExiting) {
        throw cancelled(null);
      }
      root = recorder.start();
    }
  }

  private static CancellationException cancelled(Throwable cause) {
    CancellationException cancelled = new CancellationException();
    cancelled.initCause(cause);
    return cancelled;
  }

  /** The recorder. */
  public Process root() {
    return root;
  }

  /** Whether this program was told to end, by Ctrl-C for instance. */
  public synchronized boolean isExiting() {
    return isExiting;
  }

  private void endAtExit() {
    synchronized (this) {
      isExiting = true;
      if (root == null) {
        return;
      }
    }
    if (!completes) {
      end();
      return;
    }
    endProgram();
    try {
      root.waitFor(COMPLETION_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    end();
  }

  /**
   * Ends what is recorded, first in a way that lets launchers tidy up. The recorder goes on: it
   * completes the trace, and ends then.
   */
  public void endProgram() {
    if (variable == null) {
      root.toHandle().destroy();  // it goes on telling what it does; the other way closes its streams
      return;
    }
    root.destroy();  // it passes that on to what it has started; before that, it ends
    Set<ProcessHandle> all = program();
    all.forEach(ProcessHandle::destroy);
    long last = System.nanoTime() + PATIENCE_MS * 1_000_000;
    while (!all.isEmpty()) {
      pause();
      all = program();
      if (System.nanoTime() > last) {
        all.forEach(ProcessHandle::destroyForcibly);
      }
    }
  }

  /** Processes with the variable, which the recorder and its own tools do not have, and below. */
  private Set<ProcessHandle> program() {
    Set<ProcessHandle> all = new LinkedHashSet<>();
    addMarked(all);
    for (ProcessHandle marked : List.copyOf(all)) {
      marked.descendants().forEach(all::add);
    }
    all.removeIf(process -> !isRunning(process));
    return all;
  }

  /** Ends all, first in a way that lets launchers tidy up. */
  public void end() {
    Set<ProcessHandle> all = running();
    all.forEach(ProcessHandle::destroy);
    long last = System.nanoTime() + PATIENCE_MS * 1_000_000;
    while (!all.isEmpty() && System.nanoTime() < last) {
      pause();
      all = running();
    }
    while (!all.isEmpty()) {
      // The recorder last: what loses its parent becomes a child of it.
      ProcessHandle recorder = root.toHandle();
      all.stream().filter(process -> !process.equals(recorder))
          .forEach(ProcessHandle::destroyForcibly);
      if (all.equals(Set.of(recorder))) {
        recorder.destroyForcibly();
      }
      pause();
      all = running();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Set<ProcessHandle> running() {
    Set<ProcessHandle> all = new LinkedHashSet<>();
    if (root.isAlive()) {
      all.add(root.toHandle());
    }
    if (variable != null) {
      root.descendants().forEach(all::add);
    }
    addMarked(all);
    all.removeIf(process -> !isRunning(process));
    return all;
  }

  private void addMarked(Set<ProcessHandle> all) {
    if (variable == null) {
      return;
    }
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      processes.map(path -> path.getFileName().toString()).filter(name -> name.matches("\\d+"))
          .filter(this::isMarked)
          .forEach(name -> ProcessHandle.of(Long.parseLong(name)).ifPresent(all::add));
    } catch (IOException e) {
      // Without /proc only descendants are known.
    }
  }

  private boolean isMarked(String pid) {
    return read(pid, "environ").map(text -> List.of(text.split("\0")).contains(variable))
        .orElse(false);
  }

  /** A zombie is not: its parent has not looked yet. */
  private static boolean isRunning(ProcessHandle process) {
    return process.isAlive() && read(Long.toString(process.pid()), "stat")
        .map(text -> text.charAt(text.lastIndexOf(')') + 2) != 'Z').orElse(true);
  }

  private static Optional<String> read(String pid, String name) {
    try {
      return Optional.of(new String(Files.readAllBytes(Path.of("/proc", pid, name)),
          StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty();  // it has ended, or is somebody else's
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This program is ending: the hook is running or has run.
    }
  }
}
