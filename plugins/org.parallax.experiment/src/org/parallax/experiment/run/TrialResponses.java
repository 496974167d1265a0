package org.parallax.experiment.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.metrics.MetricsReport;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.Experiment;
import org.parallax.model.Response;
import org.parallax.model.ResponseKind;
import org.parallax.model.Treatment;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;

/** Reads the responses of a trial: several can be measured of the same trials. */
public final class TrialResponses {
  private static final Set<ResponseKind> OF_TRACES =
      Set.of(ResponseKind.CRITICAL_PATH, ResponseKind.METRIC);

  private TrialResponses() {}

  /**
   * Looks at what can be known before the first trial.
   *
   * @throws ExperimentException when a response can never be read
   */
  public static void check(Experiment experiment) throws ExperimentException {
    for (Response response : experiment.getResponses()) {
      if (response.getKind() == ResponseKind.OUTPUT) {
        pattern(response);
      }
      if (response.getKind() != ResponseKind.ELAPSED && experiment.getFactors().stream()
          .anyMatch(factor -> factor.getTreatment() == Treatment.SPEEDUP)) {
        throw new ExperimentException("virtual speed-ups measure only the response \"elapsed\": "
            + "the pauses of other threads are not subtracted from \"" + response.getName() + "\"");
      }
    }
  }

  /** @return whether trials must be traced */
  static boolean needTrace(Experiment experiment) {
    return experiment.getResponses().stream().anyMatch(r -> OF_TRACES.contains(r.getKind()));
  }

  /**
   * Reads all responses, in their order.
   *
   * @param trace the trial's trace, null when it was not traced
   * @param virtualDelayNs by which virtual speed-ups made it longer
   * @throws ExperimentException when one is not there; the trial counts as failed
   */
  static double[] read(List<Response> responses, TrialProcess.Outcome outcome, Path directory,
      Path trace, long virtualDelayNs) throws ExperimentException {
    double[] values = new double[responses.size()];
    LoadedSession session = null;
    try {
      for (int i = 0; i < values.length; i++) {
        Response response = responses.get(i);
        if (OF_TRACES.contains(response.getKind()) && session == null) {
          session = SessionBuilder.open(List.of(trace), Progress.NONE);
        }
        values[i] = switch (response.getKind()) {
          case ELAPSED -> outcome.elapsedNs() - virtualDelayNs;
          case CPU -> outcome.cpuNs();
          case OUTPUT -> printed(response, directory);
          case CRITICAL_PATH -> analysis(session).criticalPath(Weight.CPU, Progress.NONE).lengthNs();
          case METRIC -> metric(response.getArgument(), analysis(session));
        };
      }
      return values;
    } catch (TraceException | IOException e) {
      throw new ExperimentException(e.getMessage(), e);
    } finally {
      if (session != null) {
        SessionBuilder.close(session);
      }
    }
  }

  private static ApplicationAnalysis analysis(LoadedSession session) throws ExperimentException {
    if (session.getApplications().isEmpty()) {
      throw new ExperimentException("its trace is empty");
    }
    return ApplicationAnalysis.global(session.getApplications());
  }

  private static double printed(Response response, Path directory)
      throws IOException, ExperimentException {
    String output = new String(Files.readAllBytes(directory.resolve("output")),
        StandardCharsets.UTF_8);
    Matcher matcher = pattern(response).matcher(output);
    String number = null;
    while (matcher.find()) {
      number = matcher.group(1);  // the last one is the final result
    }
    if (number == null) {
      throw new ExperimentException("nothing in its output matches \"" + response.getArgument()
          + "\" of the response " + response.getName());
    }
    try {
      double value = Double.parseDouble(number);
      if (!Double.isNaN(value) && !Double.isInfinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new ExperimentException("the response " + response.getName() + " is \"" + number
        + "\" in its output, which is not a number");
  }

  /**
   * The pattern of a number that the program prints.
   *
   * @throws ExperimentException when it is none, or has no group
   */
  static Pattern pattern(Response response) throws ExperimentException {
    try {
      Pattern pattern = Pattern.compile(response.getArgument(), Pattern.MULTILINE);
      if (pattern.matcher("").groupCount() > 0) {
        return pattern;
      }
      throw new ExperimentException("the pattern \"" + response.getArgument() + "\" has no group "
          + "for the number; example: time: ([0-9.]+)");
    } catch (PatternSyntaxException e) {
      throw new ExperimentException("\"" + response.getArgument() + "\" is not a regular "
          + "expression: "
          + e.getDescription(), e);
    }
  }

  private static double metric(String name, ApplicationAnalysis analysis)
      throws ExperimentException {
    Table table = MetricsReport.of(analysis, Level.APPLICATION, null, Progress.NONE);
    List<String> names = new ArrayList<>();
    for (Row row : table.rows()) {
      if (row.name().equalsIgnoreCase(name)) {
        return row.values().stream().filter(Number.class::isInstance)
            .mapToDouble(value -> ((Number) value).doubleValue()).sum();
      }
      if (row.unit() != Unit.TEXT) {
        names.add(row.name());
      }
    }
    throw new ExperimentException("there is no metric \"" + name + "\" in its trace; the metrics "
        + "are: "
        + String.join(", ", names));
  }
}
