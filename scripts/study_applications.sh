# The three studies of Irvin and Miller, Multi-Application Support in a Parallel Program Performance
# Tool, 1993, section 5. Sourced by study.sh. In the functions here $out is the folder of the traces,
# $programs that of the programs.

# study_quick OPTION...: sets `quick` to 1 for --quick, else to nothing.
study_quick() {
  quick=
  while (($#)); do
    if [[ $1 != --quick ]]; then wrong_use "unknown option $1; see: parallax study --help"; fi
    quick=1
    shift
  done
}

# study_set_up NAME: builds what a study needs, and makes its folder anew.
study_set_up() {
  out=$state/traces/study-$1
  programs=$root/native/build/programs
  need_packages java native demo
  need_native study
  need_core
  rm -rf "$out"
  mkdir -p "$out"
}

# study_record NAME OPTION... -- COMMAND: a run that leaves its trace in NAME and its output in NAME.txt.
study_record() {
  local name=$1
  shift
  rm -rf "${out:?}/$name"
  "$root/native/build/parallax-record" --quiet -o "$out/$name" "$@" > "$out/$name.txt"
}

# study_check NAME...: fails when one of the traces is not sound, or an answer is not right.
study_check() {
  local name
  for name in "$@"; do
    if ! grep -q 'answer=right' "$out/$name.txt"; then fail "$name: $(< "$out/$name.txt")"; fi
    (run_cli check "$out/$name") > "$out/$name.check" || fail "$(< "$out/$name.check")"
  done
}

# study_columns COLUMN...: of a table in CSV, these columns with tabs between.
study_columns() {
  awk -v RS='\r?\n' -v names="$*" '
    function split_line(line, field,    n) {
      for (n = 1; ; n++) {
        if (match(line, /^"([^"]|"")*"/)) {
          field[n] = substr(line, 2, RLENGTH - 2)
          gsub(/""/, "\"", field[n])
        } else {
          match(line, /^[^,]*/)
          field[n] = substr(line, 1, RLENGTH)
        }
        line = substr(line, RLENGTH + 1)
        if (line == "") return n
        line = substr(line, 2)
      }
    }
    { count = split_line($0, field) }
    NR == 1 {
      wanted = split(names, name, " ")
      for (i = 1; i <= count; i++) at[field[i]] = i
      for (i = 1; i <= wanted; i++) if (!(name[i] in at)) { print "no column " name[i] > "/dev/stderr"; exit 1 }
      next
    }
    { for (i = 1; i <= wanted; i++) printf "%s%s", field[at[name[i]]], i < wanted ? "\t" : "\n" }'
}

# study_report KIND NAME OPTION...: a report of a trace in CSV; its warnings for study_warnings.
study_report() {
  local kind=$1 name=$2
  shift 2
  (run_cli report "$kind" --format csv "$@" "$out/$name") 2>> "$out/warnings"
}

# study_show KIND TRACE... OPTION...: a report of traces by their names, for people.
study_show() {
  (cd "$out" && run_cli report "$@") 2>> "$out/warnings"
}

# What the reports warned of, each once.
study_warnings() {
  if [[ -s $out/warnings ]]; then
    echo
    sort -u "$out/warnings"
  fi
}

# --- 5.1 The effect of clock precision

study_clock() {
  local quick out programs arguments="4 200000 8" run
  study_quick "$@"
  if [[ $quick ]]; then arguments="4 20000 2"; fi
  study_set_up clock
  read -r -a arguments <<< "$arguments"
  for run in 1 2 3; do
    (TIMEFORMAT=%R && time "$programs/shm_join" "${arguments[@]}" > "$out/plain.txt") \
      2>> "$out/plain.seconds"
  done
  study_record join --sample-hz 0 --throttle off -- "$programs/shm_join.inst" "${arguments[@]}"
  study_check join
  # The same events, with a clock as coarse as the paper's.
  cp -al "$out/join" "$out/join-10ms"
  rm "$out/join-10ms/manifest"
  { cat "$out/join/manifest" && echo "cpu-tick-ns = 10000000"; } > "$out/join-10ms/manifest"
  for run in join join-10ms; do
    study_report critical-path $run --level procedure | study_columns name kind time > "$out/$run.tsv"
  done
  echo "A parallel join of two relations in shared memory, $(study_clock_events join) events of its procedures"
  echo "and locks. Procedure-level intra-application critical path with the clock as it was recorded and"
  echo "rounded down to 10 ms, and those of the paper with 1 us (Figure 7) and 10 ms (Figure 6):"
  echo
  awk -F '\t' '
    BEGIN {
      n = split("effect_join partition random_shuffle exchange_buffers init_relation writeblk readblk " \
        "get_output_buffers return_buffer", title, " ")
      split("2.65 28.37|1.89 20.24|1.71 18.32|0.59 6.30|0.48 5.15|0.40 4.27|0.38 4.11|0.30 3.24|0.28 3.02",
        micro, "|")
      split("2.69 22.84|3.04 25.81|1.69 14.35|1.45 12.31|0.51 4.33|0.39 3.31|0.62 5.26|0.33 2.80|0.34 2.89",
        milli, "|")
    }
    function base(name) { sub(/[<(].*/, "", name); sub(/.*::/, "", name); return name }
    FNR == 1 { file++ }
    { all[file] += $3 }
    $2 == "CPU" { time[file, base($1)] += $3; next }
    { arcs[file] += $3 }
    function cells(ns, whole, place) {
      return sprintf("%9.4f %6.2f %2s", ns / 1e9, ns * 100 / whole, place)
    }
    function place(name, f,    i, p) {
      p = 1
      for (i = 1; i <= n; i++) if (time[f, title[i]] > time[f, name]) p++
      return p
    }
    function row(name, fine, coarse, one, ten) {
      split(one, a, " "); split(ten, b, " ")
      printf "%-26s %s  %s   %7s %6s  %7s %6s\n", name, fine, coarse, a[1], a[2], b[1], b[2]
    }
    END {
      printf "%-26s %-20s  %-20s   %-14s  %-14s\n", "", "     here", "     here, 10 ms", "paper, 1 us", "paper, 10 ms"
      printf "%-26s %20s  %20s   %14s  %14s\n", "", "time [s]  %time  #", "time [s]  %time  #", "time  %time", "time  %time"
      row("TOTAL LENGTH", cells(all[1], all[1], ""), cells(all[2], all[2], ""), "9.35 100.00", "11.78 100.00")
      for (i = 1; i <= n; i++) {
        name = title[i]
        row(name, cells(time[1, name], all[1], place(name, 1)), cells(time[2, name], all[2], place(name, 2)),
          micro[i], milli[i])
        if (time[1, name] > 0) found++
        for (f = 1; f <= 2; f++) rest[f] += time[f, name]
      }
      row("(arcs between processes)", cells(arcs[1], all[1], ""), cells(arcs[2], all[2], ""))
      row("(other procedures)", cells(all[1] - rest[1] - arcs[1], all[1], ""),
        cells(all[2] - rest[2] - arcs[2], all[2], ""), "0.67 7.17", "0.72 6.11")
      exit !(found >= 4)
    }' "$out/join.tsv" "$out/join-10ms.tsv"
  echo
  study_report metrics join --level application | study_columns name shm_join.inst |
    awk -F '\t' -v plain="$(study_median < "$out/plain.seconds")" '
      { value[$1] = $2 }
      END {
        printf "elapsed %.3f s (%.3f s without hooks and agent); CPU %.3f s; waited for locks %.3f s,\n" \
          "conditions %.3f s, barriers %.3f s; %d of %d acquisitions of locks were contended\n",
          value["Elapsed time"] / 1e9, plain, value["CPU time"] / 1e9, value["Lock wait time"] / 1e9,
          value["Condition wait time"] / 1e9, value["Barrier wait time"] / 1e9,
          value["Contended acquisitions"], value["Lock acquisitions"]
      }'
  echo
  echo "CPU time of both over time, as Figure 5 shows it in comparison mode:"
  echo
  study_show histogram join join-10ms --metric cpu --align start
  study_warnings
}

study_clock_events() {
  study_report metrics "$1" --level application | study_columns name shm_join.inst |
    awk -F '\t' '$1 == "Events" { print $2 }'
}

# --- 5.2 Scheduling, synchronization policies, and workload performance

# study_psim_run HOW NAME OPTION...: one simulator with its output in NAME.txt, recorded or not.
study_psim_run() {
  local how=$1 name=$2
  shift 2
  if [[ $how == plain ]]; then
    "$programs/psim" "$@" "${arguments[@]}" > "$out/$name.txt"
  else
    study_record "$name" --sample-hz 100 -- "$programs/psim" "$@" "${arguments[@]}"
  fi
}

# study_psim_two HOW NAME OPTION...: two at once, NAME1 and NAME2.
study_psim_two() {
  local how=$1 name=$2 first status=0
  shift 2
  study_psim_run "$how" "${name}1" "$@" &
  first=$!
  study_psim_run "$how" "${name}2" "$@" || status=1
  wait "$first" || status=1
  if ((status)); then fail "a simulator failed: $(cat "$out/${name}"[12].txt)"; fi
}

# study_psim_all HOW PREFIX: alone; two at once; two under the co-scheduler; two that block.
study_psim_all() {
  local how=$1 prefix=$2 socket=$out/cosched.socket scheduler
  study_psim_run "$how" "${prefix}alone"
  study_psim_two "$how" "${prefix}nogang"
  "$programs/cosched" --interval "$interval" "$socket" &
  scheduler=$!
  until [[ -S $socket ]]; do sleep 0.01; done
  # Should the study be ended, nobody stays stopped.
  trap 'kill "$scheduler" 2> /dev/null' EXIT
  study_psim_two "$how" "${prefix}gang" --cosched "$socket"
  kill "$scheduler"
  wait "$scheduler"
  trap - EXIT
  study_psim_two "$how" "${prefix}block" --barrier block
}

# The metrics of Figure 8 of one trace: what, tab, number. CPU time is without that spent at barriers.
study_psim_metrics() {
  local name=$1
  {
    study_report metrics "$name" --level application | study_columns name psim
    study_report profile "$name" --level procedure | study_columns name cpu visits
  } | awk -F '\t' -v workers=2 '
      NF == 2 { value[$1] = $2 }
      NF == 3 && ($1 == "spin_barrier" || $1 == "pthread_barrier_wait") { cpu = $2; visits = $3 }
      END {
        if (visits == 0) { print "no barriers in the profile" > "/dev/stderr"; exit 1 }
        print "Barrier Wait Time\t" value["Barrier wait time"] / 1e9
        print "Barriers\t" visits / workers
        print "CPU Time\t" (value["CPU time"] - cpu) / 1e9
        print "Elapsed Time\t" value["Elapsed time"] / 1e9
        print "Spin Locks\t" value["Lock acquisitions"]
        print "Spin Time\t" value["Lock wait time"] / 1e9
        print "Time Per Barrier\t" value["Barrier wait time"] / 1e9 * workers / visits
      }' > "$out/$name.tsv"
}

study_psim() {
  local quick out programs arguments interval name plain
  local names=(alone nogang1 nogang2 gang1 gang2 block1 block2)
  study_quick "$@"
  arguments="--detail 60 4 3 20000 0.05" interval=1000
  if [[ $quick ]]; then arguments="4 3 400 0.05" interval=20; fi
  study_set_up psim
  read -r -a arguments <<< "$arguments"
  study_psim_all plain plain-
  study_psim_all recorded ""
  plain=("${names[@]/#/plain-}")
  plain=("${plain[@]/%/.txt}")
  study_check "${names[@]}"
  echo "A simulator of an indirect 4-ary 3-cube with two processes, on $(nproc) processors: alone, two at"
  echo "once with barriers that always spin, under a co-scheduler (turns of $interval ms), and two with"
  echo "barriers that block."
  echo
  echo "Without Parallax, as the programs say:"
  echo
  (cd "$out" && awk '
    FNR == 1 { name[++n] = FILENAME; sub(/^plain-/, "", name[n]); sub(/\.txt$/, "", name[n]) }
    { for (i = 1; i <= NF; i++) { split($i, pair, "="); value[n, pair[1]] = pair[2] } }
    END {
      printf "%-24s", ""
      for (i = 1; i <= n; i++) printf " %10s", name[i]
      print ""
      m = split("elapsed_s cpu_s barrier_wait_s barriers spin_locks cycles packets", what, " ")
      for (j = 1; j <= m; j++) {
        printf "%-24s", what[j]
        for (i = 1; i <= n; i++) printf " %10s", value[i, what[j]]
        print ""
      }
    }' "${plain[@]}")
  echo
  for name in "${names[@]}"; do study_psim_metrics "$name"; done
  echo "From the traces, and Figure 8 of the paper (four processes on four processors):"
  echo
  (cd "$out" && awk -F '\t' '
    BEGIN {
      n = split("Barrier Wait Time|Barriers|CPU Time|Elapsed Time|Spin Locks|Spin Time|Time Per Barrier", title, "|")
      split("9.79 413.67 410.25 9.56 8.10|1004 1004 1004 1004 1004|9.55 9.68 9.63 9.99 10.06|" \
        "8.54 213.31 213.31 14.09 13.67|45483 45483 45483 45483 45483|2.32 2.35 2.33 2.46 3.03|" \
        "0.01 0.41 0.41 0.01 0.01", paper, "|")
    }
    FNR == 1 { file++ }
    { value[file, $1] = $2 }
    END {
      split("ORIGINAL NOGANG1 NOGANG2 GANG1 GANG2 BLOCK1 BLOCK2", column, " ")
      printf "%-20s", ""
      for (i = 1; i <= 7; i++) printf " %9s", column[i]
      printf "\n"
      for (j = 1; j <= n; j++) {
        printf "%-20s", title[j]
        for (i = 1; i <= 7; i++) printf title[j] ~ /s$/ ? " %9d" : title[j] ~ /Per/ ? " %9.6f" : " %9.3f", value[i, title[j]]
        split(paper[j], old, " ")
        printf "\n%-20s", "   the paper"
        for (i = 1; i <= 5; i++) printf " %9s", old[i]
        print ""
      }
    }' "${names[@]/%/.tsv}")
  echo
  echo "CPU time of the two under the co-scheduler, as Figure 9 shows it:"
  echo
  study_show histogram gang1 gang2 --metric cpu
  study_warnings
}

# --- 5.3 A client/server database storage manager

# study_storage_run HOW: the server, the producer and, a little later, the consumer.
study_storage_run() {
  local how=$1 address=$out/$1.socket server producer status=0
  local run=("study_storage_$how")
  rm -rf "$out/$how.volumes"
  mkdir -p "$out/$how.volumes"
  "${run[@]}" server "$programs/sm_server" --log "$pages" "$address" "$out/$how.volumes" &
  server=$!
  until [[ -S $address ]]; do
    if ! kill -0 "$server" 2> /dev/null; then fail "the storage server has ended"; fi
    sleep 0.01
  done
  "${run[@]}" producer "$programs/producer" "$address" "$objects" "$rounds" &
  producer=$!
  sleep 0.1
  "${run[@]}" consumer "$programs/consumer" "$address" "$objects" "$rounds" || status=1
  wait "$producer" || status=1
  wait "$server" || status=1
  if ((status)); then fail "the storage server or a client failed"; fi
}

study_storage_plain() {
  local name=$1
  shift
  (TIMEFORMAT=%R && time "$@") > "$out/plain-$name.txt" 2> "$out/plain-$name.seconds"
}

study_storage_recorded() {
  local name=$1
  shift
  study_record "$name" --sample-hz "$hz" -- "$@"
}

# Figure 12: the call tree below openLogDisk of the server's main thread.
study_storage_tree() {
  echo "What the main thread of the server did, which receives all requests (sm_server[0]; the paper's"
  echo "sm_server[2]): the call tree of its CPU time, and Figure 12 of the paper:"
  echo
  study_report calltree server --node "$(hostname)/$server_process/sm_server[0]" --min-percent 0 |
    study_columns cpu path | awk -F '\t' '
      function base(name) { sub(/[<(].*/, "", name); sub(/.*::/, "", name); return name }
      BEGIN {
        n = split("openLogDisk regenLog io_MountVolume openLogFile linkVolume", title, " ")
        split("0.00 5.20|1.80 3.39|0.00 0.01|0.00 0.00|0.00 0.00", paper, "|")
      }
      {
        all += $1
        depth = split($2, frame, ";")
        for (i = 1; i <= depth; i++) frame[i] = base(frame[i])
        for (j = 1; j <= n; j++) for (i = 1; i <= depth; i++) if (frame[i] == title[j]) {
          if (i == depth) own[j] += $1; else below[j] += $1
          break
        }
      }
      END {
        printf "%-20s %8s %10s %12s   %10s %12s\n", "", "%time", "self [s]", "descendants", "paper self", "descendants"
        for (j = 1; j <= n; j++) {
          split(paper[j], old, " ")
          printf "%-20s %8.2f %10.3f %12.3f   %10s %12s\n", title[j], (own[j] + below[j]) * 100 / all,
            own[j] / 1e9, below[j] / 1e9, old[1], old[2]
        }
        printf "%-20s %8.2f %10s %12.3f   (82.53 %% of %%time in openLogDisk in the paper)\n", "(whole thread)", 100, "", all / 1e9
        exit !(own[2] + below[2] > 0)
      }'
}

# Figure 10: threads on the server's own critical path.
study_storage_path() {
  echo "Threads on the server's intra-application critical path, and Figure 10 of the paper:"
  echo
  study_report critical-path server --level thread | study_columns name kind percent time |
    awk -F '\t' '
      BEGIN { split("sm_server[2] 33.72|sm_server[13] 6.70|sm_server[3] 4.96|sm_server[17] 4.00|" \
        "sm_server[19] 3.54|sm_server[10] 3.48|sm_server[7] 3.37|sm_server[11] 3.29|" \
        "sm_server[18] 3.16|sm_server[15] 3.08", paper, "|") }
      { all += $4 }
      NR <= 10 { name[NR] = $1; percent[NR] = $3; time[NR] = $4 }
      END {
        printf "%-72s %8s %7s   %s\n", "", "time [s]", "%time", "the paper, %time"
        printf "%-72s %8.4f %7s   %s\n", "TOTAL LENGTH", all / 1e9, "", "18.65 s"
        for (i = 1; i <= 10 && name[i] != ""; i++) {
          split(paper[i], old, " ")
          printf "%-72s %8.4f %7.2f   %-14s %6s\n", name[i], time[i] / 1e9, percent[i], old[1], old[2]
        }
      }'
}

study_storage() {
  local quick out programs pages=16384 objects=100 rounds=1000 hz=1000 name server_process
  study_quick "$@"
  if [[ $quick ]]; then pages=4096 objects=20 rounds=100; fi
  study_set_up storage
  study_storage_run plain
  study_storage_run recorded
  study_check server producer consumer
  if [[ $(grep -o 'checksum=.*' "$out/producer.txt") != $(grep -o 'checksum=.*' "$out/consumer.txt") ]]; then
    fail "the consumer did not get what the producer made"
  fi
  server_process=$(study_report profile server --level process | study_columns name cpu |
    awk -F '\t' '$2 > most { most = $2; name = $1 } END { sub(/^[^:]*:/, "", name); print name }')
  echo "A storage server with a log and a data disk process, a producer and a consumer of $objects objects of 4 KB:"
  for name in server producer consumer; do
    printf '  %-10s %s; elapsed %s s without Parallax\n' "$name" "$(< "$out/$name.txt")" \
      "$(< "$out/plain-$name.seconds")"
  done
  echo
  study_storage_path
  echo
  study_storage_tree
  for name in producer consumer; do
    echo
    study_storage_inter "$name"
  done
  study_server
  study_warnings
}

# Figures 11 and 13: what the server and the other client do for a client.
study_storage_inter() {
  local client=$1 length=23.81
  local paper=("CPU: producer 32.57" "CPU: consumer 22.41" "Msg: producer->sm_server[2] 5.95"
    "CPU: sm_server[2] 3.72" "CPU: sm_server[13] 3.25" "CPU: sm_server[19] 1.85")
  if [[ $client == consumer ]]; then
    length=22.68
    paper=("CPU: consumer 36.19" "CPU: producer 22.57" "Msg: producer->sm_server[2] 3.82"
      "CPU: sm_server[13] 3.69" "CPU: sm_server[2] 3.03" "CPU: sm_server[7] 1.91")
  fi
  echo "The inter-application path of the $client; in the paper, of $length s in percent:"
  printf '  %s\n' "${paper[@]}"
  echo
  study_show critical-path --scope inter --app "$client" --level thread --top 10 \
    server producer consumer | tail -n +3
}
