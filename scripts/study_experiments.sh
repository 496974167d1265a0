# The two examples of Lyon, Snelick and Kacker, Time-Perturbation Tuning of MIMD Programs, 1992,
# section 3. Sourced by study.sh. As in study_applications.sh, $out is the folder of what is measured and
# $programs that of the programs.

study_perturb() {
  cli_options=("-Dparallax.record=$root/native/build/parallax-record"
    "-Dparallax.points=$root/native/build/parallax-points")
  (run_cli perturb "$@")
}

# study_experiment NAME OPTION... -- COMMAND: makes and runs an experiment.
study_experiment() {
  local name=$1
  shift
  study_perturb design --seed 1992 "$out/$name.experiment" "$@" > "$out/$name.design"
  study_perturb run --quiet "$out/$name.experiment"
}

# study_gprof PROGRAM FUNCTION...: percent of time and calls of functions, by gprof, with tabs.
study_gprof() {
  local program=$1
  shift
  gprof -b -p "$program" "$out"/gmon.* | awk -v names="$*" '
    $1 ~ /^[0-9.]+$/ && $2 ~ /^[0-9.]+$/ {
      percent[$NF] = $1
      calls[$NF] = NF >= 7 ? $4 : "-"
    }
    END {
      count = split(names, name, " ")
      for (i = 1; i <= count; i++)
        print name[i] "\t" (name[i] in percent ? percent[name[i]] : "0.0") "\t" \
          (name[i] in calls ? calls[name[i]] : "-")
    }'
}

# study_effects NAME: the effects of an experiment, in lines of name, milliseconds, standard error,
# percent, verdict and aliases.
study_effects() {
  study_perturb analyse --quiet --format csv "$out/$1.experiment" |
    study_columns name effect error percent verdict aliases |
    awk -F '\t' -v OFS='\t' '{ print $1, $2 / 1e6, $3 / 1e6, $4, ($5 == "" ? "-" : $5), $6 }'
}

# The pairs of medians that say what inlining gains, in percent, with the range of the middle half.
study_gain() {
  local rounds=$1 round program begin end
  shift
  for ((round = 0; round < rounds; round++)); do
    for program in quicksort quicksort.inline; do
      begin=$(date +%s%N)
      "$programs/$program" "$@" > "$out/sorted"
      end=$(date +%s%N)
      echo $((end - begin)) >> "$out/$program.ns"
    done
  done
  paste "$out/quicksort.ns" "$out/quicksort.inline.ns" | awk '{ print 100 * ($1 - $2) / $1 }' | sort -n |
    awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)], v[int((NR + 3) / 4)], v[int((3 * NR + 3) / 4)] }'
}

study_quicksort() {
  local quick numbers=400000 delay=200ns second=2us replicates=3 rounds=31
  study_quick "$@"
  study_set_up quicksort
  if [[ $quick ]]; then numbers=20000 replicates=1 rounds=3; fi
  local functions=(s_lock pop push swap bubble_sort select_pivot main partition_list s_unlock)

  (cd "$out" && "$programs/quicksort.pg" $((numbers * 10)) 2 > sorted)
  study_gprof "$programs/quicksort.pg" "${functions[@]}" > "$out/gprof.tsv"
  study_experiment first --factor s_lock --factor push --factor pop --factor swap --factor bubble_sort \
    --factor macro:code1 --treatment "spin $delay" --replicates "$replicates" \
    --design 'bubble_sort=s_lock*push*pop,code1=push*pop*swap' -- "$programs/quicksort" "$numbers" 2
  study_effects first > "$out/first.tsv"
  study_gain "$rounds" $((numbers * 10)) 2 > "$out/gain"
  study_experiment second --factor s_lock --factor push --factor pop --factor bubble_sort \
    --factor macro:code1 --treatment "spin $second" --replicates "$replicates" \
    --design 'code1=s_lock*push*pop*bubble_sort' -- "$programs/quicksort.inline" "$numbers" 2
  study_effects second > "$out/second.tsv"

  echo "The parallel quicksort of the paper's section 3.1: there 16 processors of a Sequent Balance, here 2"
  echo "threads, $numbers numbers, delays of $delay."
  echo
  awk -F '\t' -v file="$out/gain" -v delay="$second" '
    BEGIN {
      paperProfile["s_lock"] = "64.3"; paperProfile["pop"] = "0.1"; paperProfile["push"] = "0.2"
      paperProfile["swap"] = "5.1"; paperProfile["bubble_sort"] = "3.8"; paperProfile["code1"] = "n.a."
      paperEffect["s_lock"] = 1.98; paperEffect["push"] = 1.12; paperEffect["pop"] = 1.30
      paperEffect["swap"] = 50.10; paperEffect["bubble_sort"] = -0.10; paperEffect["code1"] = 1.10
      paperSecond["s_lock"] = 6.50; paperSecond["push"] = 4.26; paperSecond["pop"] = 4.46
      paperSecond["bubble_sort"] = -0.08; paperSecond["code1"] = 4.46
      count = split("s_lock push pop swap bubble_sort code1", order, " ")
    }
    FNR == 1 { number++ }
    number == 1 { profile[$1] = $2; calls[$1] = $3 }
    number == 2 { effect[$1] = $2; error[$1] = $3; percent[$1] = $4; verdict[$1] = $5 }
    number == 3 { again[$1] = $2; againError[$1] = $3; againPercent[$1] = $4 }
    function shown(values, name, format) { return name in values ? sprintf(format, values[name]) : "n.a." }
    END {
      printf "Table I and II      %21s   %s\n", "gprof, % of time", "effect of a delay"
      printf "%-14s %9s %9s   %9s %12s %10s %10s\n", "", "paper", "here", "paper [s]", "here [ms]", "std. error", "% of base"
      for (i = 1; i <= count; i++) {
        name = order[i]
        printf "%-14s %9s %9s   %9.2f %12.2f %10.2f %10.1f  %s\n", name, paperProfile[name],
          shown(profile, name, "%.1f"), paperEffect[name], effect[name], error[name], percent[name],
          verdict[name] == "-" ? "" : verdict[name]
        size = effect[name] < 0 ? -effect[name] : effect[name]
        if (size > largest) { largest = size; most = name }
        if (name in profile && profile[name] > time) { time = profile[name]; first = name }
      }
      getline gain < file
      split(gain, g, " ")
      printf "\nThe experiment names %s", most
      printf "; the profile has it at %s %% of the time%s.\n", shown(profile, most, "%.1f"),
        first == most ? "" : ", behind " first " with " time " %"
      printf "Inlining swap gains %.1f %% (middle half of pairs: %.1f to %.1f %%); in the paper 23 %%.\n", g[1], g[2], g[3]
      printf "\nTable II-B, swap inline, delays of %s\n", delay
      printf "%-14s %9s %12s %10s %10s\n", "", "paper [s]", "here [ms]", "std. error", "% of base"
      for (i = 1; i <= count; i++) {
        name = order[i]
        if (name == "swap") continue
        printf "%-14s %9.2f %12.2f %10.2f %10.1f\n", name, paperSecond[name], again[name], againError[name], againPercent[name]
      }
      low = again["push"]; high = low
      split("pop code1", others, " ")
      for (i in others) {
        if (again[others[i]] < low) low = again[others[i]]
        if (again[others[i]] > high) high = again[others[i]]
      }
      printf "\npush, pop and code1 balance: the largest effect is %.1f times the smallest (paper 1.05);", low == 0 ? 0 : high / low
      printf " in the first\nexperiment swap had %.0f times that of push (paper 45).\n", effect["push"] == 0 ? 0 : effect["swap"] / effect["push"]
      exit most != "swap"
    }' "$out/gprof.tsv" "$out/first.tsv" "$out/second.tsv"
}


study_ring() {
  local quick rounds=200 work=500 replicates=2 level heavy=20000
  study_quick "$@"
  study_set_up ring
  if [[ $quick ]]; then rounds=20 replicates=1; fi
  allow_open_mpi

  local factors=() name
  for name in a b c d e f g h; do factors+=(--factor "macro:$name"); done
  # Light communication, heavy computation: on Open MPI, 2 nodes for 2 processors.
  (cd "$out" && GMON_OUT_PREFIX="$out/gmon" mpirun.openmpi -n 2 "$programs/ring.pg.openmpi" \
    $((rounds * 10)) "$heavy" 64 > printed)
  study_gprof "$programs/ring.pg.openmpi" code_a node main > "$out/gprof.tsv"
  study_experiment screening "${factors[@]}" --treatment 'spin 20us' --replicates "$replicates" \
    --design 'd=b*c*g,f=a*c*g,e=a*b*c,h=a*b*g' --response 'ring=output:ring: ([0-9.]+)' -- \
    mpirun.openmpi -n 2 "$programs/ring.openmpi" "$rounds" "$heavy" 64
  study_perturb analyse --quiet --format csv "$out/screening.experiment" |
    study_columns name effect error percent verdict aliases > "$out/screening.tsv"

  # Heavy communication, light computation: MPICH, whose receives poll, 4 nodes on 2 processors.
  factors=()
  for name in F1 F2 F3 F4 F5 F6; do factors+=(--factor "macro:$name"); done
  study_experiment search "${factors[@]}" --treatment 'sleep 0 70us 140us 210us 280us' \
    --replicates "$replicates" --design orthogonal-array --response 'ring=output:ring: ([0-9.]+)' -- \
    mpirun.mpich -n 4 "$programs/ring.mpich" "$rounds" "$work" 1024
  study_perturb analyse --quiet --format csv "$out/search.experiment" |
    study_columns name run mean gain gainLow gainHigh verdict > "$out/search.tsv"

  echo "The ring of the paper's section 3.2: there 16 nodes of an iPSC-1."
  echo
  echo "Table III, light communication and heavy computation; here 2 nodes, Open MPI, delays of 20 us"
  awk -F '\t' '
    BEGIN {
      split("a b c d e f g h", order, " ")
      split("-2.25 -2.50 18.50 3.00 3.00 3.25 -2.75 2.75", paper, " ")
    }
    FNR == 1 { file++ }
    file == 1 { profile[$1] = $2 }
    file == 2 { effect[$1] = $2; error[$1] = $3; percent[$1] = $4; verdict[$1] = $5 }
    END {
      printf "%-6s %10s %10s %12s %10s\n", "", "paper [s]", "here [s]", "std. error", "% of base"
      for (i = 1; i <= 8; i++) {
        printf "%-6s %10.2f %10.4f %12.4f %10.1f  %s\n", order[i], paper[i], effect[order[i]], error[order[i]],
          percent[order[i]], (order[i] == "c" ? "<-- {code A}, gprof " profile["code_a"] " %  " : "") verdict[order[i]]
        if (effect[order[i]] > largest) { largest = effect[order[i]]; most = order[i] }
      }
      printf "standard error in the paper: 0.50\n"
      exit most != "c"
    }' "$out/gprof.tsv" "$out/screening.tsv"
  echo
  echo "Table IV, heavy communication; here 4 nodes on 2 processors, MPICH, delays of 0 to 280 us"
  awk -F '\t' '
    { line[NR] = $0; if ($2 == 1) { base = $3 } }
    END {
      printf "%-16s %5s %10s %8s %22s  %s\n", "settings", "run", "mean [s]", "gain %", "95 % interval", "verdict"
      for (i = 1; i <= NR; i++) {
        split(line[i], f, "\t")
        if (i <= 3 || f[2] == 1 || i == NR)
          printf "%-16s %5d %10.4f %8.1f %22s  %s\n", f[1], f[2], f[3], f[4], sprintf("%.1f to %.1f", f[5], f[6]), f[7]
      }
      print "in the paper: 66 s without delays, 33 s with 21 0 21 7 28 14, its best of 25"
      split(line[1], best, "\t")
      printf "\ninstalled delays %s here: the best setting takes %.2f of the time without\n",
        best[7] ~ /faster/ ? "help" : "do not help beyond doubt", base == 0 ? 0 : best[3] / base
    }' "$out/search.tsv"
}
