package org.parallax.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;
import org.parallax.trace.TraceFormat;
import org.parallax.trace.testing.TraceBuilder;

/** Text files whose lines are the name of a function and its time in nanoseconds, one after the other. */
public final class SpansFormat implements TraceFormat {
  private static final String SUFFIX = ".spans";

  @Override
  public String name() {
    return "Spans";
  }

  @Override
  public boolean isTrace(Path path) {
    return path.toString().endsWith(SUFFIX) && Files.isRegularFile(path);
  }

  @Override
  public Path convert(Path path, Progress progress) throws TraceException {
    try {
      List<String> lines = Files.readAllLines(path);
      TraceBuilder trace = new TraceBuilder(Files.createTempDirectory("parallax-spans"));
      trace.mpiJob("node1", "/opt/" + path.getFileName(), 1);
      var thread = trace.process(0).thread(0).threadBegin(0, -1);
      long timeNs = 0;
      for (int i = 0; i < lines.size(); i++) {
        progress.check();
        String[] words = lines.get(i).split(" ");
        if (words.length != 2 || !words[1].matches("\\d{1,15}")) {
          throw new TraceException("line " + (i + 1) + " of " + path + " is no span",
              "Write a name and a time in nanoseconds");
        }
        timeNs += Long.parseLong(words[1]);
        thread.sample(timeNs, words[0]);
      }
      return trace.write();
    } catch (IOException e) {
      throw new TraceException(path + " cannot be read: " + e.getMessage(), "", e);
    }
  }
}
