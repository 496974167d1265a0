#!/bin/bash
# Real programs as guests of the agent: each must print the same and end with the same status as
# without it, every time, and in time.
#
#   tests/guests/run.sh [-n REPETITIONS] [-o RECORD-OPTION]... [GUEST...]
#
# For a long run: -n 200. PARALLAX_BUILD names the folder with parallax-record (native/build by default). The guests
# are in programs.sh and servers.sh.
set -uo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
build=${PARALLAX_BUILD:-$here/../../native/build}
guests=(shell python compiler git redis postgres java openmp_gcc openmp_clang sanitizers
  nginx memcached node node_workers seccomp static setuid jobs sqlite go_cgo rust musl valgrind bwrap
  environment mariadb haproxy ffmpeg connections file_limit full_disk)
seconds_limit=240

. "$here/programs.sh"
. "$here/servers.sh"

# ------------------------------------------------------------------ comparing

# run_guest GUEST FOLDER [RECORD...]: output and errors to FOLDER.out, the status after them. What
# the programs name by the folder they run in must be the same, so it always is FOLDER/work.
run_guest() {
  local name=$1 folder=$2 as=()
  shift 2
  rm -rf "$folder/work" "$folder/traces"
  mkdir -m 777 "$folder/work" "$folder/traces"
  if [[ $name == full_disk ]]; then
    mount -t tmpfs -o size=3m none "$folder/traces" 2> /dev/null || { echo "missing: the right to mount
ended with 77" > "$folder/out"; return; }
    if (($#)); then set -- "$1" --keep-free 0 "${@:2}"; fi
  fi
  if [[ $name == postgres ]] && ((EUID == 0)); then  # it refuses to run as root
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
  fi
  (cd "$folder/work" && timeout -k 10 $seconds_limit "${as[@]}" "$@" bash "$here/run.sh" --guest "$name") \
    > "$folder/out" 2>&1 < /dev/null
  echo "ended with $?" >> "$folder/out"
  find "$folder/traces" -name '*.def' | wc -l > "$folder/recorded"
  if [[ $name == full_disk ]]; then umount -l "$folder/traces"; fi
  # Of these two that is the point.
  if [[ $name == full_disk || $name == file_limit ]]; then
    sed -i '/^parallax: /d' "$folder/out"
  fi
}

main() {
  local repetitions=2 options=() chosen=() scratch failed=0 ran=0 name i status
  while (($#)); do
    case $1 in
      -n) repetitions=$2; shift 2 ;;
      -o) options+=("$2"); shift 2 ;;
      --guest) "guest_$2"; exit ;;
      *) chosen+=("$1"); shift ;;
    esac
  done
  ((${#chosen[@]})) || chosen=("${guests[@]}")
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/parallax-guests-XXXXXX")
  chmod 755 "$scratch"
  for name in "${chosen[@]}"; do
    if [[ $(type -t "guest_$name") != function ]]; then
      echo "no guest \"$name\"; there are: ${guests[*]}" >&2
      exit 2
    fi
    run_guest "$name" "$scratch"
    cp "$scratch/out" "$scratch/expected"
    status=$(sed -n '$s/ended with //p' "$scratch/expected")
    if ((status == 77)); then
      echo "$name: skipped, $(grep missing "$scratch/expected")"
      continue
    fi
    if ((status == 124 || status > 3)); then
      echo "$name: fails without the agent"
      cat "$scratch/expected"
      failed=1
      continue
    fi
    local good=0
    ran=1
    for ((i = 1; i <= repetitions; i++)); do
      run_guest "$name" "$scratch" "$build/parallax-record" --quiet --no-calibration "${options[@]}" \
        -o "$scratch/traces/trace" --
      if cmp -s "$scratch/expected" "$scratch/out"; then
        ((good++))
      else
        echo "$name: repetition $i differs:"
        diff "$scratch/expected" "$scratch/out" | head -n 20
        failed=1
      fi
    done
    echo "$name: $good of $repetitions as without the agent," \
      "$(< "$scratch/recorded") processes recorded"
  done
  rm -rf "$scratch"
  if ((!failed && !ran)); then exit 77; fi  # all were skipped
  exit $failed
}

main "$@"
