package org.parallax.trace;

/**
 * A program that was executed during the run and could not have the agent.
 *
 * @param path absolute, as far as who executed it could tell
 */
public record UnrecordedProgram(String path, Reason reason) {
  /** Why the agent could not be loaded into it. */
  public enum Reason {
    STATIC("static", "statically linked"),
    LIBC("libc", "linked with a C library other than glibc"),
    MACHINE("machine", "not an x86_64 program"),
    REACH("reach", "executed with another root directory or by another user, where the agent "
        + "cannot be read"),
    RIGHTS("rights", "setuid, setgid or with capabilities"),
    UNKNOWN("", "for a reason that this version does not know");

    private final String word;
    private final String text;

    Reason(String word, String text) {
      this.word = word;
      this.text = text;
    }

    /** What a person is told. */
    public String text() {
      return text;
    }

    static Reason of(String word) {
      for (Reason reason : values()) {
        if (reason.word.equals(word)) {
          return reason;
        }
      }
      return UNKNOWN;
    }
  }
}
