# ./parallax bench: what recording costs and how fast a large trace is analysed. Sourced by
# ./parallax.

bench_sizes=(10000000 30000000 100000000)  # events
bench_rounds=3
short=

# What programs lose to recording, beside the price of reading the clock in the same run.
bench_native() {
  local build=$root/native/build
  echo "--- agent"
  "$build/parallax-bench-agent" $short
  echo "--- unwind"
  "$build/parallax-bench-unwind" ${short:+500}
  echo "--- mpi"
  "$build/parallax-bench-mpi" $short
  echo "--- openmp"
  "$build/parallax-bench-openmp" $short
}

# bench_trace EVENTS [PROCESSES [SEED]]: writes the synthetic trace of so many events, if it is not there yet.
bench_trace() {
  trace=$state/traces/bench-$1${2:+-$2}${3:+-$3}
  if [[ ! -f $trace.txt ]]; then
    say "writing a synthetic trace of $1 events ..."
    rm -rf "$trace"
    mkdir -p "$state/traces"
    "$root/native/build/parallax-synth" "$trace" --events "$1" \
      ${2:+--processes "$2"} ${3:+--seed "$3"} > "$trace.part"
    mv "$trace.part" "$trace.txt"
  fi
}

# bench_report KIND TRACE: nanoseconds that a report takes on one core with a heap of 1 GiB, with the start of Java, a
# line for each round.
bench_report() {
  local begin round
  cli_options=(-Xmx1g)
  for ((round = 0; round < bench_rounds; round++)); do
    begin=$(date +%s%N)
    (taskset -pc 0 "$BASHPID" > "$logs/bench.log" && run_cli report "$1" --quiet "$2") > "$logs/bench.txt"
    echo $(($(date +%s%N) - begin))
  done
}

# Reports of synthetic traces of these sizes: the critical path and its profile, and tables.
bench_analysis() {
  local trace size kind ns events times=$logs/bench-reports.tsv
  for size in "${bench_sizes[@]}"; do
    bench_trace "$size"
  done
  say "seconds on one core, with a heap of 1 GiB and the start of Java, the least of $bench_rounds ..."
  rm -f "$times"
  for size in "${bench_sizes[@]}"; do
    trace=$state/traces/bench-$size
    events=$(bench_events "$trace")
    say "reports of $events events ..."
    for kind in critical-path profile gprof npt calltree metrics waits; do
      for ns in $(bench_report "$kind" "$trace"); do
        printf '%s\t%s\t%s\n' "$events" "$kind" "$ns" >> "$times"
      done
    done
  done
  print_table report-times "$times"
}

# bench_events TRACE: how many the synthetic trace holds.
bench_events() { sed -n 's/^events \+//p' "$1.txt"; }

# Time histograms of 2,000 bins of the same traces, under the same conditions: the first of their kind
# reads the events, those after it do not.
bench_histograms() {
  local size
  for size in "${bench_sizes[@]}"; do
    echo "histograms of $size events"
    (taskset -pc 0 "$BASHPID" > "$logs/bench.log" && exec "$JAVA_HOME/bin/java" -Xmx1g \
      -XX:+UseSerialGC -cp "$(< "$state/lib/class-path")" org.parallax.cli.HistogramBench \
      "$state/traces/bench-$size")
  done
}

# Beside the tools that others have. What cannot be installed is left to the table to tell.
bench_agent() {
  local build=$root/native/build
  (need_packages bench experiments) || say "some tools to compare with are missing; the table says which"
  need_native peers
  "$build/parallax-bench-peers" "$@"
}

# Beside coz, which comes with the header that the program is built with.
bench_causal() {
  if [[ ${1:-} == --short ]]; then short=--short; fi
  if (($# > 1)) || [[ ${1:---short} != --short ]]; then
    wrong_use "bench experiments takes only --short; see: parallax bench --help"
  fi
  need_packages java native experiments
  need_native experiments
  need_core
  need_studies
  source "$root/scripts/bench_experiments.sh"
  bench_experiments
}

# The perspective and its views of a long trace, and of another that it is compared with, in a real workbench
# on a screen that nobody sees.
bench_ui() {
  local events=100000000 figures=$logs/bench-ui.txt other wide
  if [[ ${1:-} == --short ]]; then events=1000000; fi
  if (($# > 1)) || [[ ${1:---short} != --short ]]; then
    wrong_use "bench ui takes only --short; see: parallax bench --help"
  fi
  need_packages java native demo ide test
  need_native bench
  need_maven
  bench_trace "$((events / 10))" 1024
  wide=$trace
  bench_trace "$events" 32 2
  other=$trace
  bench_trace "$events" 32
  rm -f "$figures"
  # What is measured is Parallax, not the disk.
  cat "$trace"/* "$other"/* "$wide"/* | wc -c > "$logs/bench.log"
  lock java
  step "opening $(bench_events "$trace") events in the workbench" bench-ui \
    run_on_wide_screen verify --projects tests/org.parallax.ui.tests --also-make -Dtest=UiBench \
    -Dsurefire.failIfNoSpecifiedTests=false -DfailIfNoTests=false -Dparallax.heap=1g -Dparallax.jit=-XX:TieredStopAtLevel=4 \
    -Dparallax.bench.trace="$trace" -Dparallax.bench.other="$other" \
    -Dparallax.bench.wide="$wide" -Dparallax.bench.out="$figures"
  unlock
  cat "$figures"
}

# By how much the default transport dilates a sort.
bench_transports() {
  local out=$state/traces/bench-transports
  need_native study
  rm -rf "$out"
  mkdir -p "$out"
  "$root/native/build/parallax-bench-transports" --folder "$out" "$@"
}

# Traces of other tools, beside their own programs.
bench_interchange() {
  local bench=$root/native/build/parallax-bench-otf2-import
  if (($# > 1)) || [[ ${1:---short} != --short ]]; then
    wrong_use "bench interchange takes only --short; see: parallax bench --help"
  fi
  (need_packages native interchange) || say "otf2-print is missing; the table says so"
  need_native interchange
  if [[ ! -x $bench ]]; then fail "the library of OTF2 is not installed: install Debian's libotf2-trace-dev"; fi
  "$bench" "$@" "$state/traces/bench-interchange"
}

run_on_wide_screen() {
  (cd "$root" && xvfb-run -a -s '-screen 0 1920x1080x24 -s 0' "$maven" -B "$@")
}

command_bench() {
  if [[ ${1:-} == ui ]]; then
    bench_ui "${@:2}"
    return
  fi
  if [[ ${1:-} == transports ]]; then
    bench_transports "${@:2}"
    return
  fi
  if [[ ${1:-} == experiments ]]; then
    bench_causal "${@:2}"
    return
  fi
  if [[ ${1:-} == interchange ]]; then
    bench_interchange "${@:2}"
    return
  fi
  if [[ ${1:-} == agent ]]; then
    need_packages native demo
    bench_agent "${@:2}"
    return
  fi
  if [[ ${1:-} == --short ]]; then
    short=--short
    bench_sizes=(300000)
    bench_rounds=1
  fi
  need_packages java native demo
  need_native bench
  need_core
  need_studies
  bench_native
  echo "--- analysis"
  bench_analysis
  bench_histograms
}
