package org.parallax.analysis.catalogue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.parallax.analysis.text.NearNames;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Contributions;
import org.parallax.trace.code.CodeReader;

/**
 * What can be reported: the reports of Parallax, and after them those of other plug-ins. Immutable. A
 * report of another plug-in that breaks the rules of {@link ReportKind} is left out and is a fault.
 */
public final class ReportCatalogue {
  /** The extension point of other plug-ins, and the element that names a class. */
  public static final String POINT = "org.parallax.analysis.reports";
  public static final String ELEMENT = "report";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");
  /** Parameters of every report on the command line, which front ends handle themselves. */
  private static final List<String> TAKEN = List.of("format", "top", "app", "scope", "column",
      "confidence", "group", "quiet", "verbose", "help");

  private final Map<String, ReportKind> kinds = new LinkedHashMap<>();
  private final Map<String, Parameter> parameters = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();

  /**
   * Without the reports that need the binaries of a run.
   *
   * @param more the reports of other plug-ins, and why some of these were left out already
   */
  public ReportCatalogue(Contributions<ReportKind> more) {
    this(more, null);
  }

  /**
   * @param more the reports of other plug-ins, and why some of these were left out already
   * @param reader of the binaries of runs; null without any
   */
  public ReportCatalogue(Contributions<ReportKind> more, CodeReader reader) {
    faults.addAll(more.faults());
    Parameter.STANDARD.forEach(parameter -> parameters.put(parameter.name(), parameter));
    for (ReportKind kind : StandardReport.values()) {
      kinds.put(kind.id(), kind);
      if (kind == StandardReport.SOURCE && reader != null) {
        ReportKind disassembly = new DisassemblyKind(reader);
        kinds.put(disassembly.id(), disassembly);
        disassembly.parameters().forEach(each -> parameters.put(each.name(), each));
      }
    }
    more.added().forEach(this::add);
  }

  /**
   * @param reader of the binaries of runs
   * @return the reports of Parallax and of the plug-ins that {@link Contributions#named} finds
   */
  public static ReportCatalogue named(CodeReader reader) {
    return new ReportCatalogue(Contributions.named(POINT, ELEMENT, ReportKind.class), reader);
  }

  private void add(ReportKind kind) {
    try {
      String fault = fault(kind);
      if (fault.isEmpty()) {
        kinds.put(kind.id(), kind);
        kind.parameters().forEach(parameter -> parameters.put(parameter.name(), parameter));
      } else {
        faults.add("the report " + kind.id() + " of " + kind.getClass().getName()
            + " is ignored: " + fault);
      }
    } catch (RuntimeException | LinkageError e) {
      faults.add("the report of " + kind.getClass().getName() + " is ignored: " + e);
    }
  }

  private String fault(ReportKind kind) {
    if (!NAME.matcher(kind.id()).matches()) {
      return "its name may contain only lower case letters, digits and hyphens";
    }
    if (kinds.containsKey(kind.id())) {
      return "there is already a report of this name";
    }
    Objects.requireNonNull(kind.title(), "title");
    Objects.requireNonNull(kind.summary(), "summary");
    Objects.requireNonNull(kind.defaultLevel(), "defaultLevel");
    Objects.requireNonNull(kind.comparability(), "comparability");
    for (Parameter parameter : kind.parameters()) {
      Parameter other = parameters.getOrDefault(parameter.name(), parameter);
      if (!NAME.matcher(parameter.name()).matches() || TAKEN.contains(parameter.name())
          || !other.equals(parameter)) {
        return "its parameter " + parameter.name()
            + " has a name that is already in use or not valid";
      }
    }
    return "";
  }

  /** @return all reports */
  public List<ReportKind> all() {
    return List.copyOf(kinds.values());
  }

  /** @return the reports by which runs can differ */
  public List<ReportKind> comparable() {
    return all().stream()
        .filter(kind -> kind.comparability() != ReportKind.Comparability.NONE).toList();
  }

  /** @return the names of all reports */
  public List<String> ids() {
    return List.copyOf(kinds.keySet());
  }

  /** @return the parameters that any report has, each once */
  public List<Parameter> parameters() {
    return List.copyOf(parameters.values());
  }

  /** @return why reports of other plug-ins were left out, as sentences without an end */
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /**
   * @return the report of a name
   * @throws WrongParameterException when there is none; the message has the names that are near
   */
  public ReportKind find(String id) throws WrongParameterException {
    ReportKind kind = kinds.get(id);
    if (kind == null) {
      throw new WrongParameterException("unknown report \"" + id + "\"" + NearNames.hint(id, ids()));
    }
    return kind;
  }

  /**
   * Checks that a report has the parameters that are given.
   *
   * @throws WrongParameterException for one that would have no effect; the message names the reports
   *     that have it
   */
  public void check(ReportKind kind, ParameterValues given) throws WrongParameterException {
    if (given.has(Parameter.NODE.name()) && !kind.takes(Parameter.NODE)) {
      throw new WrongParameterException("report " + kind.id() + " covers whole applications and "
          + "has no option --node" + (kind.takes(Parameter.FASTER)
              ? "; use --faster to name the part that becomes faster" : ""));
    }
    if (given.get(Parameter.LEVEL.name(), "").equals("procedure") && !kind.hasProcedures()
        && kind.takes(Parameter.LEVEL)) {
      throw new WrongParameterException("report " + kind.id() + " has no level procedure; reports "
          + "with --level procedure: "
          + idsOf(each -> each.takes(Parameter.LEVEL) && each.hasProcedures()));
    }
    for (Parameter parameter : parameters.values()) {
      if (given.has(parameter.name()) && !kind.takes(parameter)) {
        throw new WrongParameterException("report " + kind.id() + " has no option "
            + parameter.option()
            + "; reports with this option: " + idsOf(each -> each.takes(parameter)));
      }
    }
  }

  /**
   * Checks that a report can be limited to a part of a program tree. Otherwise the
   * report would show all of the thread for the procedure.
   *
   * @param node null for all
   * @throws WrongParameterException when it is a procedure and the report does not tell of these
   */
  public void check(ReportKind kind, TreeNode node) throws WrongParameterException {
    if (node != null && node.procedure().isPresent() && !kind.hasProcedures()) {
      throw new WrongParameterException("report " + kind.id() + " covers threads, processes and "
          + "machines, not the procedure " + node.name() + "; reports for procedures: "
          + idsOf(each -> each.takes(Parameter.NODE) && each.hasProcedures()));
    }
  }

  private String idsOf(Predicate<ReportKind> which) {
    return kinds.values().stream().filter(which).map(ReportKind::id)
        .collect(Collectors.joining(", "));
  }
}
