#!/bin/bash
# Runs the commands of the README's "Get started" on a new machine, in a clone that nobody has touched, and
# some more. Output goes to stdout, with a line "passed: ...", "failed: ..." or "skipped: ..." for each;
# progress to descriptor 3. See fresh.sh.
set -uo pipefail
trap 'exit 130' INT TERM
TIMEFORMAT='%R %U %S'
root=$PWD state=$PWD/.parallax
source scripts/setup.sh
out=$(mktemp -d)
failures=0

# What is wrong with what a command has printed ($out/stdout) and made, or nothing.
problem_of() {
  local command=$1 words file
  read -r -a words <<< "$command"
  file=$(sed -n 's/.* -o \([^ ]*\).*/\1/p' <<< "$command")
  case ${words[1]} in
    demo)
      grep -q '^Procedure-level Intra-Application Critical Path (heat.openmpi)' "$out/stdout" &&
        grep -q '^refine_cells ' "$out/stdout" && grep -q '^total ' "$out/stdout" ||
        echo "it has printed no critical path of heat"
      if [[ $(ls native/build/programs) != heat.openmpi ]]; then
        echo "it has built other programs than heat"
      fi
      ;;
    record) grep -q '^exit-status = 0$' "$file/manifest" || echo "the manifest tells no end" ;;
    report) (($(wc -l < "$out/stdout") > 2)) || echo "the report is empty" ;;
    export) grep -q '<svg\|;' "$file" || echo "$file holds nothing" ;;
    check) grep -q sound "$out/stdout" || echo "the trace is not sound" ;;
    *) if [[ $file && ! -s $file ]]; then echo "$file is empty"; fi ;;
  esac
}

# try COMMAND: runs it as a person would type it.
try() {
  local command=$1 status=0 problem times cpu
  echo "--- $command"
  { time timeout 1800 bash -c "$command" > "$out/stdout" 2> "$out/stderr" 3>&-; } 2> "$out/times" ||
    status=$?
  cat "$out/stderr" "$out/stdout"
  read -r -a times < "$out/times"
  cpu=$((10#${times[1]/./} + 10#${times[2]/./}))  # in milliseconds
  if ((status)); then problem="exit status $status"; else problem=$(problem_of "$command" 2>&1); fi
  if [[ -z $problem ]]; then
    echo "passed: $command"
    printf '  %7.1f s %7.1f s of CPU  %s\n' "${times[0]}" "$((cpu / 1000)).$((cpu % 1000 / 100))" "$command" >&3
    return 0
  fi
  failures=$((failures + 1))
  echo "failed: $command: $problem"
  { tail -n 20 "$out/stderr" "$out/stdout"; echo "  failed: $command: $problem"; } >&3
  return 1
}

mapfile -t commands < <(sed -n '/^## Get started/,/^## /p' README.md | sed -n 's/ \+# .*//; /^\.\/parallax /p')
if ((${#commands[@]} < 5)); then
  echo "failed: the README's \"Get started\" has no commands"
  exit 1
fi
# The first sets up the rest.
try "${commands[0]}" || exit 1

# The programs that the README takes for the user's.
allow_open_mpi
cp native/build/programs/heat.openmpi solver
g++ -O2 -g -pthread tests/programs/client_server.cpp -o exchange || exit 1
# An application has the name of its executable.
mkdir both
for name in server client; do
  cp exchange "both/$name"
  word=$([[ $name == server ]] && echo serve || echo ask)
  printf '#!/bin/sh\nexec ./both/%s %s listening\n' $name "$word" > $name
  chmod +x $name
done
for run in {a,b}{1,2,3}; do try "./parallax record -o $run -- ./exchange"; done
for command in "${commands[@]:1}"; do
  if [[ $command == "./parallax ide "* ]]; then
    echo "skipped: $command: there is no display"
    continue
  fi
  try "$command"
done
try "./parallax info run1"
try "./parallax check run1"
try "./parallax export collapsed run1 -o run1.txt"
try "./parallax report critical-path a1"
try "./parallax --version"
exit $((failures > 0))
