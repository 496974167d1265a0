package org.parallax.model.program;

/** A host on which processes of a session ran; one object for each host of a session. Immutable. */
public final class Machine {
  private final String host;

  Machine(String host) {
    this.host = host;
  }

  public String getHost() {
    return host;
  }
}
