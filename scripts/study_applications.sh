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
  need_studies
  rm -rf "$out"
  mkdir -p "$out"
}

# study_record NAME OPTION... -- COMMAND: a run that leaves its trace in NAME and its output in NAME.txt.
study_record() {
  local name=$1
  shift
  rm -rf "${out:?}/$name"
  "$root/native/build/parallax-record" --quiet --no-calibration -o "$out/$name" "$@" > "$out/$name.txt"
}

# study_check NAME...: fails when one of the traces is not sound, or an answer is not right.
study_check() {
  local name
  for name in "$@"; do
    if ! grep -q 'answer=right' "$out/$name.txt"; then fail "$name: $(< "$out/$name.txt")"; fi
    (run_cli check "$out/$name") > "$out/$name.check" || fail "$(< "$out/$name.check")"
  done
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
    (LC_ALL=C TIMEFORMAT=%R && time "$programs/shm_join" "${arguments[@]}" > "$out/plain.txt") \
      2>> "$out/plain.seconds"
  done
  study_record join --sample-hz 0 --throttle off -- "$programs/shm_join.inst" "${arguments[@]}"
  study_check join
  # The same events, with a clock as coarse as the paper's.
  cp -al "$out/join" "$out/join-10ms"
  rm "$out/join-10ms/manifest"
  { cat "$out/join/manifest" && echo "cpu-tick-ns = 10000000"; } > "$out/join-10ms/manifest"
  for run in join join-10ms; do
    study_report critical-path $run --level procedure > "$out/$run.csv"
  done
  study_report metrics join --level application > "$out/metrics.csv"
  print_table clock "$out"
  echo
  echo "CPU time of both over time, as Figure 5 shows it in comparison mode:"
  echo
  study_show histogram join join-10ms --metric cpu --align start
  study_warnings
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

study_psim() {
  local quick out programs arguments interval name
  local names=(alone nogang1 nogang2 gang1 gang2 block1 block2)
  study_quick "$@"
  arguments="--detail 60 4 3 20000 0.05" interval=1000
  if [[ $quick ]]; then arguments="4 3 400 0.05" interval=20; fi
  study_set_up psim
  read -r -a arguments <<< "$arguments"
  study_psim_all plain plain-
  study_psim_all recorded ""
  study_check "${names[@]}"
  echo "A simulator of an indirect 4-ary 3-cube with two processes, on $(nproc) processors: alone, two at"
  echo "once with barriers that always spin, under a co-scheduler (turns of $interval ms), and two with"
  echo "barriers that block."
  echo
  for name in "${names[@]}"; do
    study_report metrics "$name" --level application > "$out/$name.metrics.csv"
    study_report profile "$name" --level procedure > "$out/$name.profile.csv"
  done
  print_table psim "$out"
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
  (LC_ALL=C TIMEFORMAT=%R && time "$@") > "$out/plain-$name.txt" 2> "$out/plain-$name.seconds"
}

study_storage_recorded() {
  local name=$1
  shift
  study_record "$name" --sample-hz "$hz" -- "$@"
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
  study_report profile server --level process > "$out/processes.csv"
  server_process=$(print_table storage-process "$out/processes.csv")
  study_report critical-path server --level thread > "$out/path.csv"
  study_report calltree server --node "$(hostname)/$server_process/sm_server[0]" --min-percent 0 > "$out/tree.csv"
  echo "A storage server with a log and a data disk process, a producer and a consumer of $objects objects of 4 KB:"
  for name in server producer consumer; do
    printf '  %-10s %s; elapsed %s s without Parallax\n' "$name" "$(< "$out/$name.txt")" \
      "$(< "$out/plain-$name.seconds")"
  done
  echo
  print_table storage "$out"
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
