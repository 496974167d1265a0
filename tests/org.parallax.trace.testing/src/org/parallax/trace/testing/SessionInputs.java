package org.parallax.trace.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What people give the command line and the IDE, with the traces that it stands for: one table, so that
 * both are held to the same answers. The program of each trace has the name of its directory. Some rows
 * need the formats of {@code org.parallax.example.report}.
 */
public final class SessionInputs {
  private static final int DEEP = 60;

  /**
   * A row of the table.
   *
   * @param name for people
   * @param paths what is given
   * @param traces the names of the traces that can be read, in their order
   * @param fault a part of the message; empty when everything can be read
   */
  public record Input(String name, List<Path> paths, List<String> traces, String fault) {
    @Override
    public String toString() {
      return name;
    }
  }

  private final Path root;
  private final List<Input> inputs = new ArrayList<>();

  private SessionInputs(Path root) {
    this.root = root;
  }

  /** Writes the traces and session files of the table into an empty directory. */
  public static List<Input> in(Path directory) {
    SessionInputs table = new SessionInputs(directory);
    try {
      table.sound();
      table.faulty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return table.inputs;
  }

  private void sound() throws IOException {
    for (String name : List.of("a", "b", "c")) {
      trace(name);
    }
    add("trace", "", List.of("a"), "a");
    add("manifest of a trace", "", List.of("a"), "a/manifest");
    add("list of traces", "", List.of("b", "a"), "b", "a");
    session("ab", "a", "b");
    add("session", "", List.of("a", "b"), "ab.parallax");
    add("session and trace", "", List.of("a", "b", "c"), "ab.parallax", "c");
    session("two", "ab.parallax");
    session("three", "two.parallax", "c");
    session("four", "three.parallax");
    add("session two levels deep", "", List.of("a", "b"), "two.parallax");
    add("session three levels deep", "", List.of("a", "b", "c"), "three.parallax");
    add("session four levels deep", "", List.of("a", "b", "c"), "four.parallax");
    session("deep1", "a");
    for (int level = 2; level <= DEEP; level++) {
      session("deep" + level, "deep" + (level - 1) + ".parallax");
    }
    add("session " + DEEP + " levels deep", "", List.of("a"), "deep" + DEEP + ".parallax");
    session("wide1", "a");
    for (int level = 2; level <= DEEP; level++) {
      session("wide" + level, "wide" + (level - 1) + ".parallax", "wide" + (level - 1) + ".parallax");
    }
    session("wide", "wide" + DEEP + ".parallax", "b");
    add("sessions that name others twice", "", List.of("a", "b"), "wide.parallax");
    session("one/inner", "../b", "own");
    trace("one/own");
    session("apart", "one/inner.parallax");
    add("session in another directory", "", List.of("b", "own"), "apart.parallax");
    trace("launch/server");
    trace("launch/client");
    session("launch/run-1", "server", "client");
    session("launch/all", "run-1.parallax");
    add("directory of a launch", "", List.of("server", "client"), "launch");
    session("relaunched", "launch", "a");
    add("session of the directory of a launch", "", List.of("server", "client", "a"),
        "relaunched.parallax");
    Files.writeString(root.resolve("log.spans"), "solve 500\nrelax 400\n");
    add("trace of another format", "", List.of("log.spans"), "log.spans");
    session("foreign", "a", "log.spans");
    add("session with a trace of another format", "", List.of("a", "log.spans"),
        "foreign.parallax");
    trace("traces/z");
    trace("traces/y");
    Files.createDirectories(root.resolve("traces/empty"));
    add("directory of traces", "", List.of("y", "z"), "traces");
    session("inside", "traces");
    add("session of a directory of traces", "", List.of("y", "z"), "inside.parallax");
  }

  private void faulty() throws IOException {
    add("nothing", "gone", List.of(), "gone");
    add("session that is not there", "there is no session file", List.of(), "gone.parallax");
    session("lost", "a", "gone.parallax");
    add("session with one that is not there", "there is no session file", List.of("a"),
        "lost.parallax");
    session("lame", "b", "gone");
    add("session with a trace that is not there", "gone", List.of("b"), "lame.parallax");
    Files.createDirectories(root.resolve("empty"));
    add("empty directory", "is empty", List.of(), "empty");
    Files.writeString(root.resolve("wrong.spans"), "solve\n");
    add("broken trace of another format", "line 1 of ", List.of(), "wrong.spans");
    trace("remains");
    Files.delete(root.resolve("remains/manifest"));
    add("trace without a manifest", "", List.of("remains"), "remains");
    Files.writeString(root.resolve("broken.parallax"), "<no session>");
    add("file that is no session", "broken.parallax", List.of(), "broken.parallax");
    session("cracked", "broken.parallax", "c");
    add("session with a file that is no session", "broken.parallax", List.of("c"),
        "cracked.parallax");
    session("self", "self.parallax");
    add("session of itself", "contains itself: self.parallax > self.parallax", List.of(),
        "self.parallax");
    session("ring1", "a", "ring2.parallax");
    session("ring2", "b", "one/../ring3.parallax");
    session("ring3", "ring2.parallax", "c");
    add("session with a ring of sessions",
        "contains itself: ring2.parallax > ring3.parallax > ring2.parallax",
        List.of("a", "b", "c"), "ring1.parallax");
    write("compared", run("a", "a", " mode=\"COMPARISON\"") + run("b", "b", ""));
    session("around", "c", "two-compared.parallax");
    session("two-compared", "compared.parallax");
    add("comparison in a session", "compared.parallax is itself a comparison", List.of("c"),
        "around.parallax");
    session("several/one", "../a");
    session("several/other", "../b");
    add("directory of several sessions", "none of its session files contains all the others: "
        + "one.parallax, other.parallax", List.of(), "several");
  }

  private void add(String name, String fault, List<String> traces, String... paths) {
    inputs.add(new Input(name, List.of(paths).stream().map(root::resolve).toList(), traces, fault));
  }

  private void trace(String name) {
    TraceBuilder builder = new TraceBuilder(root.resolve(name));
    builder.mpiJob("node1", "/opt/" + root.resolve(name).getFileName(), 1);
    builder.process(0).thread(0).threadBegin(0, -1).sample(1_000, "work");
    builder.write();
  }

  private void session(String name, String... traces) throws IOException {
    StringBuilder runs = new StringBuilder();
    for (int i = 0; i < traces.length; i++) {
      runs.append(run("run" + i, traces[i], ""));
    }
    write(name, runs.toString());
  }

  private static String run(String name, String trace, String more) {
    return "  <runs name=\"" + name + "\" trace=\"" + trace + "\"" + more + "/>\n";
  }

  private void write(String name, String runs) throws IOException {
    Path file = root.resolve(name + ".parallax");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<parallax:Session"
        + " xmi:version=\"2.0\" xmlns:xmi=\"http://www.omg.org/XMI\""
        + " xmlns:parallax=\"urn:parallax:model:1\">\n" + runs + "</parallax:Session>\n");
  }
}
