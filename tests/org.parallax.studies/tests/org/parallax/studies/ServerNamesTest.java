package org.parallax.studies;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerNamesTest {
  private final ServerNames names = new ServerNames(List.of(
      "10|postmaster||LOG: starting PostgreSQL", "12|startup||LOG: redo starts", "13|checkpointer||LOG: x",
      "20|client backend|[unknown]|LOG: connection received",
      "20|client backend|[unknown]|LOG: connection authorized: user=postgres application_name=producer",
      "21|client backend|[unknown]|LOG: connection authorized: user=postgres application_name=psql",
      "no line of the log"), "host");

  @Test
  void processesAreNamedByWhatTheyDo() {
    assertEquals("CPU: server, startup", names.in("CPU: host:postgres (pid 12)"));
    assertEquals("server, session of the producer", names.in("host:postgres (pid 20)"));
    assertEquals("server, other session", names.in("host:postgres (pid 21)"));
    assertEquals("server, 99", names.in("postgres (pid 99)"));
  }

  @Test
  void clientsAreNamedByWhatTheyAre() {
    assertEquals("Msg: producer->server, postmaster", names.in("Msg: host:pgbench->host:postgres (pid 10)"));
    assertEquals("CPU: consumer", names.in("CPU: host:pgbench@consumer: pgbench"));
  }
}
