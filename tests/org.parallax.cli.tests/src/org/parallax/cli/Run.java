package org.parallax.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.parallax.cli.command.Console;

/** A command line that was run: its exit status and what it printed. */
record Run(int status, String out, String err) {
  static Run of(Object... line) {
    return of(false, line);
  }

  static Run of(boolean terminal, Object... line) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8);
    int status = new Main(new Console(outStream, errStream, terminal))
        .run(List.of(line).stream().map(Object::toString).toList());
    outStream.flush();
    return new Run(status, out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8));
  }
}
