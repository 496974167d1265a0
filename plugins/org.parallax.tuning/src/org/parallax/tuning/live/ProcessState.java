package org.parallax.tuning.live;

/**
 * A process of the program.
 *
 * @param host its machine
 * @param pid its number there
 * @param program the path of its program
 * @param part its rank or task, in words; empty when it is neither
 * @param library of its communication, with version; empty while none is known
 * @param isRunning whether it has not ended
 * @param end its exit status in words; empty while it runs
 * @param variables those that it declares, with their values, in words
 */
public record ProcessState(String host, long pid, String program, String part, String library, boolean isRunning, String end,
    String variables) {
}
