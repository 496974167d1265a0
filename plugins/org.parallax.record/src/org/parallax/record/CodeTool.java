package org.parallax.record;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.parallax.trace.Progress;
import org.parallax.trace.code.CodeException;
import org.parallax.trace.code.CodeReader;
import org.parallax.trace.code.MachineCode;
import org.parallax.trace.code.MachineCode.Function;
import org.parallax.trace.code.MachineCode.Range;

/** Reads machine code with the native tool {@code parallax-disassembly}. */
public final class CodeTool implements CodeReader {
  /** Longer command lines are refused by the system: more are asked for in portions. */
  private static final int MOST_OFFSETS = 4000;
  private static final long CHECK_MS = 50;

  /** Where the native programs are. */
  public interface Place {
    /** @throws RecordException when they are not there */
    Agent find() throws RecordException;
  }

  private final Place place;

  /** @param place is asked whenever code is read */
  public CodeTool(Place place) {
    this.place = place;
  }

  @Override
  public MachineCode read(String path, String buildId, Collection<Long> offsets, Syntax syntax,
      Progress progress) throws CodeException {
    Map<Long, Function> functions = new LinkedHashMap<>();
    TreeMap<Long, Range> known = new TreeMap<>(Long::compareUnsigned);
    Set<Long> unknown = new HashSet<>();
    String found = "";
    List<Long> portion = new ArrayList<>();
    Iterator<Long> left = offsets.iterator();
    while (left.hasNext()) {
      long offset = left.next();
      Map.Entry<Long, Range> before = known.floorEntry(offset);
      // One address of each function is enough.
      if (before == null || !before.getValue().contains(offset)) {
        portion.add(offset);
      }
      if (!portion.isEmpty() && (portion.size() == MOST_OFFSETS || !left.hasNext())) {
        MachineCode code = readPortion(path, buildId, portion, syntax, progress);
        portion.clear();
        found = code.buildId();
        unknown.addAll(code.unknown());
        for (Function function : code.functions()) {
          functions.putIfAbsent(function.entry(), function);
          function.parts().forEach(part -> known.put(part.begin(), part));
        }
      }
    }
    return new MachineCode(found, List.copyOf(functions.values()), unknown);
  }

  private MachineCode readPortion(String path, String buildId, List<Long> offsets, Syntax syntax,
      Progress progress) throws CodeException {
    progress.check();
    List<String> command = new ArrayList<>();
    try {
      command.add(place.find().disassembly().toString());
    } catch (RecordException e) {
      throw new CodeException(e.getMessage());
    }
    command.addAll(List.of("--syntax", syntax == Syntax.ATT ? "att" : "intel"));
    if (!buildId.isEmpty()) {
      command.addAll(List.of("--build-id", buildId));
    }
    command.add(path);
    offsets.stream().map(Long::toHexString).forEach(command::add);
    try {
      Path output = Files.createTempFile("parallax-disassembly", ".txt");
      Path errors = Files.createTempFile("parallax-disassembly", ".err");
      try {
        Process process = new ProcessBuilder(command).redirectOutput(output.toFile())
            .redirectError(errors.toFile()).start();
        process.getOutputStream().close();
        await(process, progress);
        if (process.exitValue() != 0) {
          String said = Files.readString(errors).strip();
          throw new CodeException(said.isEmpty() ? command.get(0) + " exited with status "
              + process.exitValue() + " without a message"
              : said.replaceFirst("^parallax-disassembly: ", ""));
        }
        return MachineCode.parse(
            new String(Files.readAllBytes(output), StandardCharsets.UTF_8));
      } finally {
        Files.deleteIfExists(output);
        Files.deleteIfExists(errors);
      }
    } catch (IOException e) {
      throw new CodeException("the tool that reads machine code cannot be started: "
          + e.getMessage() + "; build it: parallax setup");
    }
  }

  private static void await(Process process, Progress progress) {
    try {
      while (!process.waitFor(CHECK_MS, TimeUnit.MILLISECONDS)) {
        progress.check();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("cancelled");
    } finally {
      process.destroy();
    }
  }
}
