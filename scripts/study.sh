# ./parallax study: programs like those of the papers, measured and analysed as there, beside
# what the papers print. Sourced by ./parallax.

studies=(hybrid clock psim storage quicksort ring)
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
    mpirun.openmpi -n 2 "$program" "${arguments[@]}" "$mode" "$out/solution" |
      awk '$1 == "wall_ns" { print $2 }'
    return
  fi
  rm -rf "${out:?}/$name"
  "$build/parallax-record" --quiet -o "$out/$name" "$@" -- \
    mpirun.openmpi -n 2 "$program" "${arguments[@]}" "$mode" "$out/solution" > "$out/$name.txt"
}

# study_tree TRACE PROGRAM RANK: the call tree of a rank, in lines of inclusive ns, ns and path, with
# tabs between.
study_tree() {
  (run_cli report calltree --format csv --min-percent 0 --node "$host/$2[$3]" "$out/$1") |
    awk -v RS='\r?\n' '
      NR == 1 {
        columns = split($0, title, ",")
        for (i = 1; i <= columns; i++) column[title[i]] = i - 1
        if (title[columns] != "path") { print "no path in the last column: " $0 > "/dev/stderr"; exit 1 }
        next
      }
      {
        sub(/^("([^"]|"")*"|[^,]*),/, "")  # of names and paths alone, commas can be a part
        split($0, field, ",")
        path = $0
        for (i = 2; i < columns; i++) sub(/^[^,]*,/, "", path)
        gsub(/^"|"$/, "", path)
        gsub(/""/, "\"", path)
        print field[column["inclusive"]] "\t" field[column["time"]] "\t" path
      }' > "$out/$1.$3.tsv"
}

# Prints the median of the lines of standard input.
study_median() {
  sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# Where the run with std::endl spends its time, what the tree says is gained without, and what is.
study_hybrid_path() {
  local rounds=$1 round endl newline
  for ((round = 0; round < rounds; round++)); do
    study_drops - drops endl >> "$out/endl.ns"
    study_drops - drops newline >> "$out/newline.ns"
  done
  endl=$(study_median < "$out/endl.ns")
  newline=$(study_median < "$out/newline.ns")
  study_drops endl drops endl --sample-hz "$hz"
  study_tree endl drops 0
  study_tree endl drops 1
  echo "What the hybrid run at $hz Hz finds (the paper's section IV.B: rank 0 writes lines, each"
  echo "flushed by std::endl, while the others wait in MPI_Allreduce):"
  echo
  awk -F '\t' -v endl="$endl" -v newline="$newline" '
    function short(name) {
      gsub(/operator<</, "operator\001", name)
      while (gsub(/<[^<>]*>/, "", name)) {}
      sub(/[(].*/, "", name)
      sub(/.* /, "", name)
      gsub(/\001/, "<<", name)
      return name
    }
    FNR == 1 { rank++ }
    rank == 1 && $3 == "_start" { total = $1 }
    rank == 1 && $3 ~ /std::endl<[^;]*$/ {
      flush += $1; n = split($3, frames, ";"); path = ""
      for (i = 1; i <= n; i++) if (path != "" || frames[i] == "main")
        path = path (path == "" ? "" : " -> ") short(frames[i])
    }
    rank == 1 && $3 ~ /;MPI_Allreduce$/ { own += $1 }
    rank == 2 && $3 ~ /;MPI_Allreduce$/ { wait += $1 }
    rank == 2 && $3 == "_start" { other = $1 }
    END {
      if (flush == 0 || wait == 0) { print "  neither std::endl nor MPI_Allreduce is in the tree"; exit 1 }
      printf "  rank 0: %s\n", path
      printf "          %.3f s of %.3f s below std::endl, %.3f s in MPI_Allreduce\n", flush / 1e9, total / 1e9, own / 1e9
      printf "  rank 1: %.3f s of %.3f s in MPI_Allreduce\n\n", wait / 1e9, other / 1e9
      printf "  gain of a plain newline in place of std::endl: predicted %.3f s, measured %.3f s (%.0f %%)\n",
        flush / 1e9, (endl - newline) / 1e9, flush * 100 / (endl - newline)
      printf "  (medians of the solver without agent: %.3f s with std::endl, %.3f s without)\n", endl / 1e9, newline / 1e9
    }' "$out/endl.0.tsv" "$out/endl.1.tsv"
}

# The paper's Table I: filtered instrumentation beside sampling, output without std::endl.
study_hybrid_table() {
  study_drops first drops.inst newline --sample-hz 0 --throttle off
  "$root/parallax" filter -o "$out/filter" "$out/first" > "$out/filter.log"
  study_drops instrumented drops.inst newline --sample-hz 0 --throttle off --filter "$out/filter"
  study_drops sampled drops newline --sample-hz "$hz"
  local rank
  for rank in 0 1; do
    study_tree instrumented drops.inst $rank
    study_tree sampled drops $rank
  done
  echo
  echo "Table I of the paper, sums of all ranks; there 256 ranks, here 2:"
  echo
  awk -F '\t' '
    BEGIN {
      split("Time|- Failed unwind|- Not unwound|- Execution time|- MPI|main|+ Strategy|+ SolveCoupled|" \
        "+ DoStep|+ solve|+ reparametrize|+ FastMarch::reparam|+ FastMarch::distribute|" \
        "+ Process::probe|+ MPI_Probe|  rank 0 / rank 1", title, "|")
      split("330,000|-|-|330,000|278,000|43|6|263|14|11,900|1|704|0|0|180,000|0 / 708", instrumented, "|")
      split("126,000|474|32|117,000|107,000|15|11|20||48|0|60|0||65,900|0 / 259", sampled, "|")
      split("||||||strategy|solveCoupled|doStep|solve|reparametrize|reparam|distribute|probe", of, "|")
    }
    function base(name) { sub(/[<(].*/, "", name); sub(/.*::/, "", name); return name }
    FNR == 1 { file++ }
    {
      way = file <= 2 ? 1 : 2; rank = (file - 1) % 2
      n = split($3, frames, ";"); name = frames[n]
      if (n == 1) sum[way, 1] += $1
      if (name ~ /^\(unwind failed/) sum[way, 2] += $2
      else if (name ~ /^\(/) sum[way, 3] += $2
      if (name ~ /^MPI_/) sum[way, 5] += $2
      if (name == "main") sum[way, 6] += $2
      for (i = 7; i <= 14; i++) if (base(name) == of[i]) sum[way, i] += $2
      if (name == "MPI_Probe") { sum[way, 15] += $2; probe[way, rank] += $2 }
    }
    function seconds(ns) { return ns == "" ? "-" : sprintf("%.3f", ns / 1e9) }
    END {
      printf "%-28s %24s   %24s\n", "", "paper [s]", "here [s]"
      printf "%-28s %12s %12s   %12s %12s\n", "", "instrumented", "sampled", "instrumented", "sampled"
      for (i = 1; i <= 16; i++) {
        for (way = 1; way <= 2; way++) {
          if (i == 4) sum[way, 4] = sum[way, 1] - sum[way, 2] - sum[way, 3]
          cell[way] = i == 16 ? seconds(probe[way, 0] + 0) " / " seconds(probe[way, 1] + 0) : seconds(sum[way, i])
        }
        printf "%-28s %12s %12s   %12s %12s\n", title[i], instrumented[i], sampled[i], cell[1], cell[2]
      }
      exit !(sum[1, 15] > 0 && sum[2, 15] > 0)
    }' "$out"/{instrumented,sampled}.{0,1}.tsv
}

study_hybrid() {
  local build=$root/native/build out=$state/traces/study-hybrid quick= rounds=5 hz=100 host
  local drops_arguments="40 20000 12000 1"
  host=$(hostname)
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
  rm -rf "$out"
  mkdir -p "$out"
  allow_open_mpi
  study_hybrid_path "$rounds"
  study_hybrid_table
  echo
  "$build/parallax-study-hybrid" $quick --parallax "$root/parallax"
}

command_study() {
  local study=${1:-}
  if [[ -z $study ]]; then wrong_use "the name of a study is missing; there is: ${studies[*]}"; fi
  if [[ " ${studies[*]} " != *" $study "* ]]; then
    wrong_use "unknown study \"$study\"; there is: ${studies[*]}"
  fi
  "study_$study" "${@:2}"
}
