# ./parallax bench experiments: virtual speed-ups and delays in designed experiments beside coz, on a
# program of coz's own kind, and beside programs that really are faster. Sourced by bench.sh.

functions=(parse compress hash emit store)

experiments_perturb() {
  (run_cli perturb "$@")
}

# experiments_timed NAME COMMAND: adds the nanoseconds that it takes to NAME.ns.
experiments_timed() {
  local name=$1 begin
  shift
  begin=$(date +%s%N)
  "$@"
  echo $(($(date +%s%N) - begin)) >> "$out/$name.ns"
}

# A round of the program as it is, twice, and with each function really so much faster, in turn.
experiments_truth() {
  local variant begin
  for variant in "" "${functions[@]}" ""; do
    begin=$(date +%s%N)
    "$program" "$rounds" ${variant:+"$variant=50"}
    printf '%s\t%s\t%s\n' "$1" "${variant:-base}" $(($(date +%s%N) - begin)) >> "$out/truth.tsv"
  done
}

# experiments_coz NUMBER NS: runs of coz until so much time is spent. It ends with status 0 whatever
# it has found.
experiments_coz() {
  local until=$(($(date +%s%N) + $2)) begin
  while begin=$(date +%s%N) && ((begin < until)); do
    # Of the program alone, with what the pauses of coz add to it.
    coz run --output "$out/coz.$1.$begin.profile" --- "$program" \
      $(((until - begin) * 10 / 14 / round_ns + 100)) > "$out/coz.log" 2>&1
  done
}

bench_experiments() {
  local out=$state/traces/bench-experiments program=$root/native/build/programs/bench_causal
  local rounds=40 blocks=3 truths=4 block name round_ns options=() trials
  local runs=16 first=6  # of a replicate, besides one without treatments; before the first
  if [[ $short ]]; then rounds=8 blocks=2 truths=1 runs=8; fi
  rm -rf "$out"
  mkdir -p "$out"
  cli_options=("-Dparallax.record=$root/native/build/parallax-record"
    "-Dparallax.points=$root/native/build/parallax-points")
  for name in "${functions[@]}"; do options+=(--factor "$name"); done
  options+=(--design "$runs runs" --replicates "$blocks" --seed 2015)

  experiments_truth 0
  round_ns=$(print_table round-time "$out/truth.tsv" "$rounds")
  rm "$out/truth.tsv"
  experiments_perturb design "${options[@]}" --treatment 'speedup 0 50%' "$out/speedup.experiment" -- \
    "$program" "$rounds" > "$out/speedup.design"
  # A fifth of what each call takes.
  experiments_perturb design "${options[@]}" "$out/delay.experiment" \
    --set "parse=spin $((round_ns * 20 / 670))ns" --set "compress=spin $((round_ns * 70 / 670))ns" \
    --set "hash=spin $((round_ns * 30 / 670))ns" --set "emit=spin $((round_ns * 8 / 670))ns" \
    --set "store=spin $((round_ns * 18 / 670))ns" -- "$program" "$rounds" > "$out/delay.design"

  for ((block = 0; block < blocks; block++)); do
    trials=$((runs + 1 + (block == 0 ? first : 0)))
    for ((name = 0; name < truths; name++)); do
      experiments_timed truth experiments_truth "$block.$name"
    done
    for name in speedup delay; do
      experiments_timed "$name" experiments_perturb run --quiet --force --trials "$trials" \
        "$out/$name.experiment"
    done
    # A second is enough to see that it works.
    experiments_timed coz experiments_coz "$block" "$([[ $short ]] && echo 1000000000 || tail -n 1 "$out/speedup.ns")"
  done

  for name in speedup delay; do
    experiments_perturb analyse --quiet --format csv "$out/$name.experiment" > "$out/$name.csv" 2>> "$out/warnings"
  done
  experiments_perturb analyse --quiet --report counts --format csv "$out/delay.experiment" > "$out/counts.csv"
  echo "A program of two threads: what it gains in percent when one function is twice as fast, as its author"
  echo "knows, as it is when it really is, and as experiments say that only slow down, interleaved."
  echo
  print_table experiments "$out" "$root/tests/programs/bench_causal.cpp" "$rounds" \
    $((first + blocks * (runs + 1))) "${short:---full}"
  for name in "$out"/coz.*.profile; do
    if ! grep -q '^startup' "$name"; then
      echo "$name is no profile of coz; see $out/coz.log"
      return 1
    fi
  done
  if [[ $short ]]; then echo "of a short run no estimate is judged, only that all is there"; fi
}
