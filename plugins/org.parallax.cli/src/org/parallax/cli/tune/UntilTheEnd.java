package org.parallax.cli.tune;

import java.util.concurrent.CompletableFuture;

/**
 * An interrupt from the terminal is for the program, which may end or go on. While this is open, the virtual machine stops the
 * tuning, waits for {@link #close()} and then ends with the program's status.
 */
final class UntilTheEnd implements AutoCloseable {
  private final CompletableFuture<Integer> end = new CompletableFuture<>();
  private final CompletableFuture<Runnable> interrupted = new CompletableFuture<>();
  private final Thread hook = new Thread(() -> {
    interrupted.thenAccept(Runnable::run);
    Runtime.getRuntime().halt(end.join());
  }, "parallax-tune end");
  private int status = 1;

  UntilTheEnd() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Sets what ends the tuning when the virtual machine is interrupted, or its terminal is closed. */
  void whenInterrupted(Runnable action) {
    interrupted.complete(action);
  }

  /** Sets the status with which the virtual machine ends if it was interrupted. @return the same */
  int status(int value) {
    status = value;
    return value;
  }

  @Override
  public void close() {
    end.complete(status);
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It runs, and ends the virtual machine.
    }
  }
}
