# What the gate (.ci/run) and the nightly run (.ci/nightly) share. Both source this file from the project's folder.

# Installs Debian packages where this may be done: as root, on a machine with apt-get.
install_packages() {
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || dpkg -s "$@" >/dev/null 2>&1; then return; fi
  { timeout 300 apt-get update && DEBIAN_FRONTEND=noninteractive timeout 600 apt-get install -y --no-install-recommends "$@"; } \
    >/dev/null 2>&1 || echo "These packages could not be installed, so the tests that need them are skipped: $*"
}

# Runs the tests of a project of vitest.config.ts (or some files of it). A file that fails beside others is run once more by itself: a busy
# machine must not hold up a change, and a fault fails twice. What failed once is told at the end.
report=$(mktemp)
failed_once=()
suite() {
  local project=$1 failed
  shift
  : >"$report"
  npx vitest run --project "$project" --reporter=default --reporter=json --outputFile.json="$report" "$@" && return
  mapfile -t failed < <(node .ci/failed-files.mjs "$report")
  if [ "${#failed[@]}" = 0 ] || [ "${#failed[@]}" -gt 5 ]; then return 1; fi
  VITEST_MAX_WORKERS=1 npx vitest run --project "$project" "${failed[@]}" || return
  failed_once+=("${failed[@]}")
}

tell_failed_once() {
  for file in "${failed_once[@]}"; do echo "failed once, passed by itself: $file"; done
}

# Runs a command under a title, and notes how long it took.
times=()
step() {
  local title=$1 begun=$SECONDS result=0
  shift
  "$@" || result=$?
  times+=("$((SECONDS - begun)) s  $title")
  return "$result"
}

tell_times() {
  printf '%s\n' "${times[@]}" "$SECONDS s  in all"
}

# Speech and pages are tested with real programs and a real browser.
install_packages pocketsphinx pocketsphinx-en-us espeak-ng ffmpeg
install_packages chromium chromium-headless-shell
# Nodes are stopped behind a proxy.
install_packages haproxy
