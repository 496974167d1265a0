package org.parallax.analysis.source;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Module;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Symbols;
import org.parallax.trace.Trace;

/**
 * The samples and times of the addresses of code. A sample has the exact address at which the thread was
 * interrupted. Time that is only known to have passed behind a call, between a routine and the next
 * sample, is at the instruction of the call.
 */
final class AddressSums {
  /** The file of a module, as it was recorded. */
  record File(String path, String buildId) {}

  /** Of an address. */
  static final class Sum {
    final Symbols.Location location;
    long samples;
    long ns;

    Sum(Symbols.Location location) {
      this.location = location;
    }
  }

  /** By offset. */
  final Map<File, TreeMap<Long, Sum>> files = new LinkedHashMap<>();
  /** When the first run that has the file began, in ms since 1970. */
  final Map<File, Long> runMs = new LinkedHashMap<>();
  /** All samples in the scope, also those outside of files. */
  long allSamples;

  private final ApplicationAnalysis analysis;
  private final Scope scope;

  /** Cost: each call path of each thread in scope once, after the profile. */
  AddressSums(ApplicationAnalysis analysis, TreeNode node, Progress progress) {
    this.analysis = analysis;
    scope = new Scope(analysis, node);
    List<CallPathProfile> profiles = analysis.profiles(progress);
    for (ThreadRecord record : analysis.threads()) {
      if (scope.has(record)) {
        progress.check();
        add(record.process(), profiles.get(record.index()));
      }
    }
  }

  private void add(ProcessTrace process, CallPathProfile profile) {
    Trace trace = trace(process);
    CallPaths paths = process.callPaths();
    for (int path = 1; path < paths.definedCount(); path++) {
      long samples = profile.samples()[path];
      long ns = profile.wallNs()[path];
      if (samples == 0 && ns == 0
          || !scope.hasProcedure(analysis.procedures().leaf(process.index(), path))) {
        continue;
      }
      allSamples += samples;
      byte kind = paths.kind(path);
      Symbols.Location location = kind == CallPaths.ADDRESS || kind == CallPaths.RETURN_ADDRESS
          ? trace.symbols().find(process, path) : null;
      if (location == null || location.module() == null) {
        continue;
      }
      Module module = location.module();
      File file = new File(module.path(), module.buildId());
      runMs.merge(file, trace.epochNs() / 1_000_000, Math::min);
      Sum sum = files.computeIfAbsent(file, unknown -> new TreeMap<>())
          .computeIfAbsent(location.offset(), unknown -> new Sum(location));
      sum.samples += samples;
      sum.ns += ns;
    }
  }

  private Trace trace(ProcessTrace process) {
    int at = analysis.workload().processes().indexOf(process);
    return analysis.workload().application(at).getTrace();
  }
}
