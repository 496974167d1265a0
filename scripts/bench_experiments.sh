# ./parallax bench experiments: virtual speed-ups and delays in designed experiments beside coz, on a
# program of coz's own kind, and beside programs that really are faster. Sourced by bench.sh.

functions=(parse compress hash emit store)
source "$root/scripts/study_applications.sh"  # study_columns

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

# The lines of a function's work, as coz names them, in lines of number and function.
experiments_lines() {
  awk '/^PROCEDURE/ { match($0, /[a-z]+\(/); name = substr($0, RSTART, RLENGTH - 1) }
    name { print FNR "\t" name }
    /^}/ { name = "" }' "$root/tests/programs/bench_causal.cpp"
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

# Effects of an experiment, in lines of function, gain if it were faster in percent, standard error.
experiments_effects() {
  experiments_perturb analyse --quiet --format csv "$out/$1.experiment" 2>> "$out/warnings" |
    study_columns name effect error percent |
    awk -F '\t' -v OFS='\t' -v sign="$2" \
      '$1 !~ /&/ { print $1, sign * $4, $2 == 0 ? 0 : sqrt(($3 * $4 / $2) ^ 2) }'
}

# All that coz has measured, with its own sums: the time of a round is the duration of an experiment
# by the progress in it. A straight line through the time without a speed-up, up to 60 %, where gains
# are proportional to speed-ups, is read at 50 %. The error is that of leaving out one run at a time.
experiments_coz_estimates() {
  experiments_lines | awk -F '\t' -v OFS='\t' -v names="${functions[*]}" '
    function estimate(without, name,    r, base, sxy, sxx, i) {
      for (r in duration) if (r != without) { base += duration[r]; sxx += progress[r] }
      if (sxx == 0) return "none"
      base /= sxx
      sxx = 0
      for (i = 1; i <= n; i++) {
        if (of[i] != name || run[i] == without) continue
        sxy += weight[i] * speedup[i] * (1 - period[i] / base)
        sxx += weight[i] * speedup[i] ^ 2
      }
      return sxx == 0 ? "none" : 50 * sxy / sxx
    }
    FILENAME == "-" { function_of[$1] = $2; next }
    FNR == 1 { runs++ }
    /^experiment/ {
      line = $2; sub(/.*:/, "", line)
      name = function_of[line]
      s = $3; sub(/.*=/, "", s); s += 0
      d = $4; sub(/.*=/, "", d); d += 0
      next
    }
    /^throughput-point/ {
      p = $3; sub(/.*=/, "", p); p += 0
      if (p == 0) next
      if (s == 0) { duration[runs] += d; progress[runs] += p }
      else if (s <= 0.6) { of[++n] = name; run[n] = runs; speedup[n] = s; period[n] = d / p; weight[n] = p }
      if (s > 0) made[name]++
    }
    END {
      count = split(names, order, " ")
      for (f = 1; f <= count; f++) {
        mean = estimate(0, order[f]); used = sum = square = 0
        for (r = 1; r <= runs; r++) {
          e = estimate(r, order[f])
          if (e != "none") { used++; sum += e; square += e * e }
        }
        error = used < 2 ? "none" : sqrt(used < 2 ? 0 : (used - 1) / used * (square - sum * sum / used))
        print order[f], mean, error, made[order[f]] + 0
      }
    }' - "$out"/coz.*.profile
}

# What the functions really gain, of pairs of one round, in lines of function, percent, standard error.
experiments_gains() {
  awk -F '\t' -v OFS='\t' -v names="${functions[*]}" '
    $2 == "base" { base[$1] += $3 / 2; next }
    { time[$2, $1] = $3 }
    END {
      count = split(names, order, " ")
      for (f = 1; f <= count; f++) {
        n = sum = square = 0
        for (r in base) {
          gain = 100 * (1 - time[order[f], r] / base[r])
          n++; sum += gain; square += gain * gain
        }
        variance = n > 1 ? (square - sum * sum / n) / (n - 1) : 0
        print order[f], sum / n, sqrt(variance < 0 ? 0 : variance / n)
      }
    }' "$out/truth.tsv"
}

# experiments_sound NAME TRIALS: whether so many trials were made, each with a time, and reached each
# place as often as a program of so many rounds calls the function; and each delay took its time. That
# holds however busy the machine is. Prints what does not.
experiments_sound() {
  awk -v RS='<' -v name="$1" -v trials="$2" -v rounds="$rounds" '
    function attribute(of,    text) {
      if (!match($0, "[ \t\n]" of "=\"[^\"]*\"")) return ""
      text = substr($0, RSTART, RLENGTH)
      gsub(/^[^"]*"|"$/, "", text)
      return text
    }
    BEGIN { split("parse 1 compress 1 hash 1 emit 2 store 2", words, " ")
            for (i = 1; i in words; i += 2) calls[words[i]] = words[i + 1] }
    /^trials/ { made += attribute("status") == "DONE" && attribute("durationNs") > 0 }
    /^counts/ { reached += attribute("count") == rounds * calls[attribute("factor")] }
    END {
      if (made != trials) print name ": " made + 0 " of " trials " trials were made"
      if (reached != 5 * trials) print name ": " reached + 0 " of " 5 * trials " counts are those of the program"
      exit made != trials || reached != 5 * trials
    }' "$out/$1.experiment" || return
  if [[ $1 == delay ]]; then
    experiments_perturb analyse --quiet --report counts --format csv "$out/$1.experiment" |
      study_columns name requested achieved skipped | awk -F '\t' '
        NF == 4 && $2 > 0 && $3 >= 0.99 * $2 && $4 == 0 { sound++; next }
        { print "delays of " $1 ": " $3 " ns of " $2 " ns, " $4 " skipped" }
        END { exit sound != 5 }'
  fi
}

experiments_table() {
  local name
  for name in truth speedup delay coz; do
    awk '{ s += $1; n++ } END { printf "%s\t%.1f\t%d\n", name, s / 1e9, n }' name=$name "$out/$name.ns"
  done > "$out/seconds.tsv"
  awk -F '\t' -v short="$short" '
    function rank_all(kind,    f, g, r) {
      for (f = 1; f <= n; f++) {
        r = 1
        for (g = 1; g <= n; g++) {
          if (value[kind, g] == "none") continue
          if (value[kind, f] == "none" || value[kind, g] > value[kind, f]) r++
        }
        rank[kind, f] = r
      }
    }
    function correlation(kind,    f, sum) {
      for (f = 1; f <= n; f++) sum += (rank[kind, f] - rank["planted", f]) ^ 2
      return 1 - 6 * sum / (n * (n * n - 1))
    }
    function cell(kind, f) {
      if (value[kind, f] == "none") return "not seen        -"
      return sprintf("%6.2f +- %5s %2d", value[kind, f],
        error[kind, f] == "none" ? "?" : sprintf("%.2f", error[kind, f]), rank[kind, f])
    }
    # Of coz alone it depends on the machine what it sees.
    function missing(kind,    f, found) {
      for (f = 1; f <= n; f++) {
        if (value[kind, f] ~ number && error[kind, f] ~ number) continue
        printf "%s has no value of %s\n", kind, title[f]
        found = 1
      }
      return found + 0
    }
    BEGIN { number = "^-?[0-9]+([.][0-9]*)?([eE][-+]?[0-9]+)?$" }
    FNR == 1 { file++ }
    file == 1 { seconds[$1] = $2; next }
    {
      kind = file == 2 ? "truth" : file == 3 ? "speedup" : file == 4 ? "delay" : "coz"
      if (file == 2) { title[++n] = $1; at[$1] = n }
      value[kind, at[$1]] = $2; error[kind, at[$1]] = $3
      if (kind == "coz") experiments += $4
    }
    END {
      split("parse compress hash emit store", order, " ")
      split("1 3.5 0 0.4 1.8", units, " ")
      for (f in order) value["planted", at[order[f]]] = 100 * units[f] / 13.4
      count = split("planted truth speedup delay coz", kinds, " ")
      for (k = 1; k <= count; k++) rank_all(kinds[k])
      printf "%-9s %10s %18s %18s %18s %18s\n", "gain [%]", "planted", "really faster", "virtual speed-up",
        "coz", "delays"
      for (r = 1; r <= n; r++) for (f = 1; f <= n; f++) if (rank["planted", f] == r) {
        printf "%-9s %7.2f %2d %18s %18s %18s %18s\n", title[f], value["planted", f], r, cell("truth", f),
          cell("speedup", f), cell("coz", f), cell("delay", f)
      }
      printf "%-9s %10s %18.2f %18.2f %18.2f %18.2f\n", "rank corr.", "", correlation("truth"),
        correlation("speedup"), correlation("coz"), correlation("delay")
      printf "%-9s %10s %18.0f %18.0f %18.0f %18.0f\n\n", "seconds", "", seconds["truth"], seconds["speedup"],
        seconds["coz"], seconds["delay"]
      printf "+- is one standard error, the last number the rank. %d experiments of coz with a speed-up.\n",
        experiments
      for (f = 1; f <= n && !short; f++) {
        e = sqrt(error["speedup", f] ^ 2 + error["truth", f] ^ 2)
        off = value["speedup", f] - value["truth", f]
        if (off * off > 4 * e * e) {
          printf "the virtual speed-up of %s is off by %.1f %%, more than its error\n", title[f], off
        }
      }
      equal = 1
      for (f = 1; f <= n; f++) if (rank["speedup", f] != rank["planted", f]) equal = 0
      printf "the ranking by virtual speed-ups %s the true one\n", equal ? "is" : "is not"
      if (n != 5 || missing("truth") + missing("speedup") + missing("delay")) exit 1
      if (short) exit
      if (!experiments) print "coz has made no experiment with a speed-up"
      exit !equal || !experiments
    }' "$out/seconds.tsv" "$out/truth.gains" "$out/speedup.effects" "$out/delay.effects" "$out/coz.estimates"
}

bench_experiments() {
  local out=$state/traces/bench-experiments program=$root/native/build/programs/bench_causal
  local rounds=40 blocks=3 truths=4 block name round_ns options=() trials all_trials
  local runs=16 first=6  # of a replicate, besides one without treatments; before the first
  if [[ $short ]]; then rounds=8 blocks=2 truths=1 runs=8; fi
  rm -rf "$out"
  mkdir -p "$out"
  cli_options=("-Dparallax.record=$root/native/build/parallax-record"
    "-Dparallax.points=$root/native/build/parallax-points")
  for name in "${functions[@]}"; do options+=(--factor "$name"); done
  options+=(--design "$runs runs" --replicates "$blocks" --seed 2015)

  experiments_truth 0
  round_ns=$(awk -v rounds="$rounds" '$2 == "base" && (!n || $3 < n) { n = $3 } END { printf "%.0f", n / rounds }' \
    "$out/truth.tsv")
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

  experiments_gains > "$out/truth.gains"
  experiments_effects speedup -1 > "$out/speedup.effects"
  # Slower by a fifth costs what faster by a fifth gains, as far as the program is linear: 2.5 times
  # that for half.
  experiments_effects delay 2.5 | awk -F '\t' -v OFS='\t' '{ print $1, $2, 2.5 * $3 }' > "$out/delay.effects"
  experiments_coz_estimates > "$out/coz.estimates"
  echo "A program of two threads: what it gains in percent when one function is twice as fast, as its author"
  echo "knows, as it is when it really is, and as experiments say that only slow down, interleaved."
  echo
  experiments_table
  all_trials=$((first + blocks * (runs + 1)))
  experiments_sound speedup "$all_trials"
  experiments_sound delay "$all_trials"
  for name in "$out"/coz.*.profile; do
    if ! grep -q '^startup' "$name"; then
      echo "$name is no profile of coz; see $out/coz.log"
      return 1
    fi
  done
  if [[ $short ]]; then echo "of a short run no estimate is judged, only that all is there"; fi
}
