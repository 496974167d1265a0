# ./parallax screenshots: the pictures of the documentation. Sourced by ./parallax.

command_screenshots() {
  local images=${1:-docs/images}
  if (($# > 1)); then wrong_use "screenshots takes one directory; see: parallax screenshots --help"; fi
  need_packages java native demo ide test
  need_native programs
  need_maven
  lock java
  local where
  where=$(cd "$root" && realpath -m -- "$images")
  step "taking pictures of the workbench" screenshots take_pictures "$where" \
    'ScreenshotMaker,ExperimentScreenshots,SourceScreenshots,LaunchScreenshots' \
    ui source launch
  PARALLAX_SCREENSHOT_THEME=dark \
    step "taking pictures of the dark workbench" screenshots-dark take_pictures "$where" \
    ScreenshotMaker ui
  unlock
  grep -ho 'wrote .*\.png' "$logs"/screenshots{,-dark}.log >&2
}

# take_pictures DIRECTORY CLASSES BUNDLE...: runs the classes that take them.
take_pictures() {
  local where=$1 classes=$2
  shift 2
  local projects=("${@/#/tests/org.parallax.}")
  projects=("${projects[@]/%/.tests}")
  (cd "$root" && IFS=, && xvfb-run -a -s '-screen 0 1600x1100x24 -s 0' "$maven" -B verify \
    --projects "${projects[*]}" --also-make -Dtest="$classes" \
    -Dsurefire.failIfNoSpecifiedTests=false -DfailIfNoTests=false \
    -Dparallax.screenshot.dir="$where")
}
