#!/usr/bin/env bash
# Judges random scenes: random_test.sh FIRST:END, or tests the judge itself: random_test.sh judge. The program is $OLOID_BIN.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=""
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c "import h5py, numpy, tomllib" 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [ -z "$python" ]; then
  echo "SKIPPED: python3 with h5py is missing (scripts/setup ci installs it)"
  exit 77
fi
if [ "$1" = judge ]; then
  exec "$python" "$here/judge_test.py" "$OLOID_BIN"
fi
exec "$python" "$here/run.py" --program "$OLOID_BIN" --seeds "$1" --jobs "${JOBS:-1}" "${@:2}"
