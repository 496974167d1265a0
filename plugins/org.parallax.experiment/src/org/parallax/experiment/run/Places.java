package org.parallax.experiment.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where in the binaries the places are that factors name, as the native tool {@code parallax-points}
 * finds them. The lines are those of the agent's plan, with the position of the place in the request
 * as the number of the factor.
 */
public final class Places {
  /**
   * A point of a place, for people.
   *
   * @param id in the plan and in the counts
   * @param place its position in the request
   * @param method how the program gets there: jump, short, trap, macro
   * @param line 0 when unknown
   */
  public record Point(int id, int place, String method, String function, String file, int line) {}

  /**
   * A binary with points.
   *
   * @param buildId empty when it has none
   */
  record Module(String path, String buildId) {}

  private final List<String> modules = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final List<Point> points = new ArrayList<>();
  private final Map<Integer, List<String>> problems = new TreeMap<>();
  private final Map<Integer, List<String>> notes = new TreeMap<>();
  private final Map<Integer, String> variables = new TreeMap<>();

  private Places() {}

  /**
   * Looks places up.
   *
   * @param tool the path of {@code parallax-points}
   * @param program the executable
   * @param libraries further modules
   * @param places as people write them; {@code variable:NAME} for one of the program's variables
   * @throws ExperimentException when the tool cannot be run or refuses; places that cannot be found
   *     are {@link #problems}
   */
  public static Places find(Path tool, Path program, List<Path> libraries, List<String> places)
      throws ExperimentException {
    List<String> command = new ArrayList<>(List.of(tool.toString(), "--plan", "--program",
        program.toString()));
    for (Path library : libraries) {
      command.addAll(List.of("--library", library.toString()));
    }
    command.add("--");
    command.addAll(places);
    try {
      Path errors = Files.createTempFile("parallax-points", ".err");
      try {
        Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status > 1 || output.isEmpty()) {
          String said = Files.readString(errors).strip();
          throw new ExperimentException(said.isEmpty()
              ? tool + " exited with status " + status + " without a message" : said);
        }
        return parse(output);
      } finally {
        Files.delete(errors);
      }
    } catch (IOException e) {
      throw new ExperimentException("the tool that finds places cannot be started: "
          + e.getMessage()
          + "; build it: parallax setup", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExperimentException("cancelled");
    }
  }

  static Places parse(String output) {
    Places places = new Places();
    Map<Integer, String[]> where = new TreeMap<>();
    for (String line : output.split("\n")) {
      String[] fields = line.split("\t", -1);
      switch (fields[0]) {
        case "module" -> places.modules.add(line);
        case "point", "macro", "range" -> places.lines.add(line);
        case "where" -> where.put(Integer.parseInt(fields[1]), fields);
        case "problem" -> add(places.problems, fields);
        case "note" -> add(places.notes, fields);
        case "variable" -> places.variables.put(Integer.parseInt(fields[1]),
            fields[2] + "\t" + fields[3]);
        default -> {
          // Of a later version: more than is needed here.
        }
      }
    }
    for (String line : places.lines) {
      String[] fields = line.split("\t", -1);
      if (!fields[0].equals("range")) {
        int id = Integer.parseInt(fields[1]);
        String[] named = where.getOrDefault(id, new String[] {"", "", "", "", "0"});
        places.points.add(new Point(id, Integer.parseInt(fields[2]),
            fields[0].equals("macro") ? "macro" : fields[5], named[2], named[3],
            named[4].isEmpty() ? 0 : Integer.parseInt(named[4])));
      }
    }
    return places;
  }

  private static void add(Map<Integer, List<String>> texts, String[] fields) {
    texts.computeIfAbsent(Integer.parseInt(fields[1]), unused -> new ArrayList<>()).add(fields[2]);
  }

  /** The lines of a plan that say where: modules, points, macros and ranges. */
  List<String> planLines() {
    List<String> all = new ArrayList<>(modules);
    all.addAll(lines);
    return all;
  }

  /** The binaries of all points. */
  List<Module> modules() {
    return modules.stream().map(line -> line.split("\t", 4))
        .map(fields -> new Module(fields[3], fields[2].equals("-") ? "" : fields[2])).toList();
  }

  /** Of what kind {@code variable:NAME} is: module and address, separated by a tab; or null. */
  String variable(int place) {
    return variables.get(place);
  }

  /** @return all points, by their ids */
  public List<Point> points() {
    return points;
  }

  /** @return the functions in which a place is, by its position in the request; empty when unknown */
  public Set<String> functions(int place) {
    Set<String> functions = new TreeSet<>();
    points.stream().filter(point -> point.place() == place && !point.function().isEmpty())
        .forEach(point -> functions.add(point.function()));
    return functions;
  }

  /** @return of a place, by its position in the request, what is wrong; empty when nothing is */
  public List<String> problems(int place) {
    return problems.getOrDefault(place, List.of());
  }

  /** @return of a place, by its position in the request, what a person should know */
  public List<String> notes(int place) {
    return notes.getOrDefault(place, List.of());
  }

  /** @return the number that is greater than each id of a point */
  int ids() {
    return points.stream().mapToInt(Point::id).max().orElse(-1) + 1;
  }

  /** @return how many code ranges a place has; for virtual speed-ups */
  public int ranges(int place) {
    return (int) lines.stream().map(line -> line.split("\t", 3))
        .filter(fields -> fields[0].equals("range") && fields[1].equals(Integer.toString(place)))
        .count();
  }

  @Override
  public String toString() {
    return Arrays.toString(points.toArray());
  }
}
