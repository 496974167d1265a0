# ./parallax study: programs like those of the papers, measured and analysed as there, beside
# what the papers print. Sourced by ./parallax.

studies=(hybrid clock psim storage quicksort ring intrusion pvm-library pvm-is mpi-variables mpi-collectives)
source "$root/scripts/study_applications.sh"
source "$root/scripts/study_server.sh"
source "$root/scripts/study_experiments.sh"

# study_drops NAME PROGRAM MODE OPTION...: a run of the solver that leaves its trace in NAME and what
# it prints in NAME.txt. Without options and with - for NAME: without the agent, prints its wall time.
study_drops() {
  local name=$1 program=$build/programs/$2 mode=$3 arguments
  shift 3
  read -r -a arguments <<< "$drops_arguments"
  if [[ $name == - ]]; then
    mpirun.openmpi -n 2 "$program" "${arguments[@]}" "$mode" "$out/solution" | sed -n 's/^wall_ns //p'
    return
  fi
  rm -rf "${out:?}/$name"
  "$build/parallax-record" --quiet --no-calibration -o "$out/$name" "$@" -- \
    mpirun.openmpi -n 2 "$program" "${arguments[@]}" "$mode" "$out/solution" > "$out/$name.txt"
}

# study_trees TRACE PROGRAM: the call trees of both ranks, in TRACE.0.csv and TRACE.1.csv.
study_trees() {
  local rank
  for rank in 0 1; do
    (run_cli report calltree --format csv --min-percent 0 --node "$(hostname)/$2[$rank]" "$out/$1") \
      > "$out/$1.$rank.csv"
  done
}

# Where the run with std::endl spends its time, what the tree says is gained without, and what is.
study_hybrid_path() {
  local rounds=$1 round
  for ((round = 0; round < rounds; round++)); do
    study_drops - drops endl >> "$out/endl.ns"
    study_drops - drops newline >> "$out/newline.ns"
  done
  study_drops endl drops endl --sample-hz "$hz"
  study_trees endl drops
  print_table hybrid-path "$out" "$hz"
}

# The paper's Table I: filtered instrumentation beside sampling, output without std::endl.
study_hybrid_table() {
  study_drops first drops.inst newline --sample-hz 0 --throttle off
  "$root/parallax" filter -o "$out/filter" "$out/first" > "$out/filter.log"
  study_drops instrumented drops.inst newline --sample-hz 0 --throttle off --filter "$out/filter"
  study_drops sampled drops newline --sample-hz "$hz"
  study_trees instrumented drops.inst
  study_trees sampled drops
  print_table hybrid-table "$out"
}

study_hybrid() {
  local build=$root/native/build out=$state/traces/study-hybrid quick= rounds=5 hz=100
  local drops_arguments="40 20000 12000 1"
  while (($#)); do
    case $1 in
      --quick)
        quick=--quick rounds=1 hz=1000 drops_arguments="8 4000 4000 1"
        shift
        ;;
      *) wrong_use "unknown option $1; see: parallax study --help" ;;
    esac
  done
  need_packages java native demo
  need_native study
  need_core
  need_studies
  rm -rf "$out"
  mkdir -p "$out"
  allow_open_mpi
  study_hybrid_path "$rounds"
  study_hybrid_table
  echo
  "$build/parallax-study-hybrid" $quick --parallax "$root/parallax"
}

# study_resumed NAME OPTION...: by parallax-study-NAME. What is measured stays, and the next run goes on with it; a
# quick one begins anew.
study_resumed() {
  local name=$1 out=$state/traces/study-$1
  shift
  need_native study
  if [[ " $* " == *" --quick "* ]]; then
    out+=-quick
    rm -rf "$out"
  fi
  mkdir -p "$out"
  "$root/native/build/parallax-study-$name" --folder "$out" "$@"
}

# The command line tunes the sort.
study_pvm_is() {
  need_packages java
  need_java
  need_core
  study_resumed pvm-is --parallax "$root/parallax" "$@"
}

# study_of_mpis NAME OPTION...: the libraries of today are fetched, unless others are named.
study_of_mpis() {
  local name=$1 word previous= libraries=all
  shift
  for word in "$@"; do
    if [[ $previous == --library ]]; then libraries=$word; fi
    if [[ $word == --library=* ]]; then libraries=${word#*=}; fi
    previous=$word
  done
  if [[ $libraries == all || $libraries == *5* ]]; then
    need_packages native demo study
    need_mpis
  fi
  study_resumed "$name" "$@"
}

# The command line tunes the programs.
study_mpi_collectives() {
  need_packages java
  need_java
  need_core
  study_of_mpis mpi-collectives --parallax "$root/parallax" "$@"
}

command_study() {
  local study=${1:-}
  if [[ -z $study ]]; then wrong_use "the name of a study is missing; there is: ${studies[*]}"; fi
  if [[ " ${studies[*]} " != *" $study "* ]]; then
    wrong_use "unknown study \"$study\"; there is: ${studies[*]}"
  fi
  case $study in
    intrusion | pvm-library) study_resumed "$@" ;;
    pvm-is) study_pvm_is "${@:2}" ;;
    mpi-variables) study_of_mpis "$@" ;;
    mpi-collectives) study_mpi_collectives "${@:2}" ;;
    *) "study_$study" "${@:2}" ;;
  esac
}
