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

# study_effects NAME: what an experiment says, in NAME.csv.
study_effects() {
  study_perturb analyse --quiet --format csv "$out/$1.experiment" > "$out/$1.csv"
}

# study_pairs ROUNDS ARGUMENT...: times of the program with swap as a function and inline, in turns.
study_pairs() {
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
}

study_quicksort() {
  local quick numbers=400000 delay=200ns second=2us replicates=3 rounds=31
  study_quick "$@"
  study_set_up quicksort
  if [[ $quick ]]; then numbers=20000 replicates=1 rounds=3; fi

  (cd "$out" && "$programs/quicksort.pg" $((numbers * 10)) 2 > sorted)
  gprof -b -p "$programs/quicksort.pg" "$out"/gmon.* > "$out/gprof.txt"
  study_experiment first --factor s_lock --factor push --factor pop --factor swap --factor bubble_sort \
    --factor macro:code1 --treatment "spin $delay" --replicates "$replicates" \
    --design 'bubble_sort=s_lock*push*pop,code1=push*pop*swap' -- "$programs/quicksort" "$numbers" 2
  study_effects first
  study_pairs "$rounds" $((numbers * 10)) 2
  study_experiment second --factor s_lock --factor push --factor pop --factor bubble_sort \
    --factor macro:code1 --treatment "spin $second" --replicates "$replicates" \
    --design 'code1=s_lock*push*pop*bubble_sort' -- "$programs/quicksort.inline" "$numbers" 2
  study_effects second

  echo "The parallel quicksort of the paper's section 3.1: there 16 processors of a Sequent Balance, here 2"
  echo "threads, $numbers numbers, delays of $delay."
  echo
  print_table quicksort "$out" "$second"
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
  gprof -b -p "$programs/ring.pg.openmpi" "$out"/gmon.* > "$out/gprof.txt"
  study_experiment screening "${factors[@]}" --treatment 'spin 20us' --replicates "$replicates" \
    --design 'd=b*c*g,f=a*c*g,e=a*b*c,h=a*b*g' --response 'ring=output:ring: ([0-9.]+)' -- \
    mpirun.openmpi -n 2 "$programs/ring.openmpi" "$rounds" "$heavy" 64
  study_effects screening

  # Heavy communication, light computation: MPICH, whose receives poll, 4 nodes on 2 processors.
  factors=()
  for name in F1 F2 F3 F4 F5 F6; do factors+=(--factor "macro:$name"); done
  study_experiment search "${factors[@]}" --treatment 'sleep 0 70us 140us 210us 280us' \
    --replicates "$replicates" --design orthogonal-array --response 'ring=output:ring: ([0-9.]+)' -- \
    mpirun.mpich -n 4 "$programs/ring.mpich" "$rounds" "$work" 1024
  study_effects search

  echo "The ring of the paper's section 3.2: there 16 nodes of an iPSC-1."
  echo
  print_table ring "$out"
}
