# How far a part of ./parallax test is, read from its log. Sourced by scripts/test.sh.

# progress_of LOG: one line of text, such as "123 of 815 tests". A log says "to do: 815 tests" when that is known.
progress_of() {
  local log=$1 done all step
  all=$(sed -n 's/^to do: //p' "$log" | tail -n 1)
  # Lines of CTest for tests, and of Maven for test classes.
  done=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#|^(\[.*)?Tests run: .* -- in ' "$log" || true)
  # Those of Ninja, and of Maven for modules.
  step=$(grep -oE '^\[[0-9]+/[0-9]+\]|\[[0-9]+/[0-9]+\]$' "$log" | tail -n 1 || true)
  step=${step//[][]/}
  if ((done)) && [[ $all ]]; then
    echo "$done of $all"
  elif [[ $step ]]; then
    echo "building, step ${step/\// of }"
  else
    echo "starting"
  fi
}

# minutes SECONDS: as minutes and seconds, such as 4:05.
minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

progress_seconds=30  # between lines, where there is no terminal

# show_progress TITLE LOG: says how far it is until it is killed or this script has ended: on a terminal every two
# seconds in the same line, else in a line of its own.
show_progress() {
  local title=$1 log=$2 begin=$SECONDS interval=$progress_seconds
  if [[ -t 2 ]]; then interval=2; fi
  # No process that sleeps: it would live on, with the locks and pipes of this script.
  while ! read -rt "$interval" <> <(:) && kill -0 $$ 2> /dev/null; do
    if [[ -t 2 ]]; then
      printf '\r\033[Kparallax: %s: %s, %s min' "$title" "$(progress_of "$log")" "$(minutes $((SECONDS - begin)))" >&2
    else
      say "$title: $(progress_of "$log"), $(minutes $((SECONDS - begin))) min"
    fi
  done
}

# start_progress TITLE LOG ... stop_progress: the same beside what this script does between.
start_progress() {
  show_progress "$@" &
  progress_pid=$!
}

stop_progress() {
  kill "$progress_pid" 2> /dev/null || true
  wait "$progress_pid" 2> /dev/null || true
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
}
