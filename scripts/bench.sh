# ./parallax bench: what recording costs and how fast a large trace is analysed. Sourced by
# ./parallax.

bench_events=100000000
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

# Reads a synthetic trace and finds its critical path, on one core and with a heap of 1 GiB.
bench_analysis() {
  local trace=$state/traces/bench-$bench_events events begin end
  if [[ ! -f $trace.txt ]]; then
    say "writing a synthetic trace of $bench_events events ..."
    rm -rf "$trace"
    mkdir -p "$state/traces"
    "$root/native/build/parallax-synth" "$trace" --events "$bench_events" > "$trace.part"
    mv "$trace.part" "$trace.txt"
  fi
  events=$(awk '$1 == "events" { print $2 }' "$trace.txt")
  say "finding the critical path of $events events on one core, with a heap of 1 GiB ..."
  begin=$(date +%s%N)
  cli_options=(-Xmx1g)
  (taskset -pc 0 "$BASHPID" > "$logs/bench.log" && run_cli report critical-path "$trace") > "$logs/bench.txt"
  end=$(date +%s%N)
  awk -v events="$events" -v ns=$((end - begin)) 'BEGIN {
    printf "open, read, critical path and its profile, with the start of Java: %.1f s, " \
      "%.1f million events/s\n", ns / 1e9, events * 1e3 / ns }'
}

# Profile tables of the same trace, under the same conditions.
bench_tables() {
  local trace=$state/traces/bench-$bench_events kind begin end
  cli_options=(-Xmx1g)
  for kind in profile npt gprof; do
    begin=$(date +%s%N)
    (taskset -pc 0 "$BASHPID" > "$logs/bench.log" && run_cli report "$kind" "$trace") > "$logs/bench.txt"
    end=$(date +%s%N)
    awk -v kind="$kind" -v ns=$((end - begin)) 'BEGIN {
      printf "report %s, with the start of Java: %.1f s\n", kind, ns / 1e9 }'
  done
}

# Time histograms of 2,000 bins of the same trace, under the same conditions: the first of their kind
# reads the events, those after it do not.
bench_histograms() {
  local trace=$state/traces/bench-$bench_events
  say "making time histograms ..."
  (taskset -pc 0 "$BASHPID" > "$logs/bench.log" && exec "$JAVA_HOME/bin/java" -Xmx1g \
    -XX:+UseSerialGC -cp "$(< "$state/lib/class-path")" org.parallax.cli.HistogramBench "$trace")
}

# Beside the tools that others have. What cannot be installed is left to the table to tell.
bench_agent() {
  local build=$root/native/build
  (need_packages bench) || say "some tools to compare with are missing; the table says which"
  need_native peers
  "$build/parallax-bench-peers" "$@"
}

command_bench() {
  if [[ ${1:-} == agent ]]; then
    need_packages native demo
    bench_agent "${@:2}"
    return
  fi
  if [[ ${1:-} == --short ]]; then
    short=--short
    bench_events=1000000
  fi
  need_packages java native demo
  need_native bench
  need_core
  bench_native
  echo "--- analysis"
  bench_analysis
  bench_tables
  bench_histograms
}
