#!/bin/sh
# Checks the Python client: lint, types, tests on each Python that is installed, the built package, the README.
# `check.sh adapters` tests the adapters instead, each against its framework as pip installs it.
# NODE names the Node.js that runs the server. CHECK_FOLDER keeps the installed packages for the next run.
# Exits with 3 if no Python can run it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${CHECK_FOLDER:-$(mktemp -d)}
[ -n "${CHECK_FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"

# Prints the path of Python 3.<minor>, if there is one.
find_python() {
  for candidate in "python3.$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/3.$1".*/bin/python; do
    if "$candidate" -c "import sys, ensurepip, ssl, venv; sys.exit(sys.version_info[1] != $1)" 2>/dev/null; then
      "$candidate" -c 'import sys; print(sys.executable)'
      return
    fi
  done
}

# Creates a virtual environment: its name, a Python, and what to install. One that has the same is kept.
install() {
  target="$folder/$1" python=$2
  shift 2
  if [ "$(cat "$target/complete" 2>/dev/null)" != "$python $*" ]; then
    "$python" -m venv --clear "$target"
    if [ $# -gt 0 ]; then "$target/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; fi
    echo "$python $*" >"$target/complete"
  fi
}

newest=
for minor in 10 11 12 13 14; do
  python=$(find_python $minor)
  if [ -n "$python" ]; then newest=$python; fi
done
if [ -z "$newest" ]; then
  echo "No Python from 3.10 to 3.14 was found."
  exit 3
fi
cd "$here"

install tools "$newest" ruff==0.17.6 basedpyright==1.40.2 build hatchling httpx

if [ "${1:-}" = adapters ]; then
  # Frameworks support a new Python later.
  python=$newest
  for minor in 12 11 10; do
    if [ -n "$(find_python $minor)" ]; then python=$(find_python $minor) && break; fi
  done
  while read -r name packages; do
    echo "== adapter: $name"
    extra=$(echo "$name" | tr _ -)
    # shellcheck disable=SC2086 -- several packages
    install "adapter-$name" "$python" pytest "$here[$extra]" $packages
    environment="$folder/adapter-$name/bin/python"
    "$folder/tools/bin/basedpyright" --pythonpath "$environment" "src/holdfast/$name"*.py
    HOLDFAST_ADAPTER=$name "$environment" -m pytest -p no:cacheprovider -W default tests/adapters
  done <tests/adapters/packages.txt
  exit 0
fi

echo "== lint and types"
"$folder/tools/bin/ruff" check --no-cache .
"$folder/tools/bin/ruff" format --no-cache --check .
"$folder/tools/bin/basedpyright" --pythonpath "$folder/tools/bin/python"
cmp LICENSE ../../LICENSE

for minor in 10 11 12 13 14; do
  python=$(find_python $minor)
  if [ -z "$python" ]; then
    echo "== Python 3.$minor is not installed"
    continue
  fi
  echo "== tests on Python 3.$minor"
  install "tests-3.$minor" "$python" httpx pytest "typing_extensions>=4.6"
  "$folder/tests-3.$minor/bin/python" -m pytest -p no:cacheprovider
done

echo "== package and README"
rm -rf "$folder/dist" "$folder/empty"
"$folder/tools/bin/python" -m build --no-isolation --outdir "$folder/dist" .
install empty "$newest" "$folder"/dist/*.whl
rm -rf "$folder/types"
mkdir "$folder/types"
cp tests/typed_usage.py "$folder/types"
"$folder/empty/bin/python" tests/readme_examples.py "$folder/types"
echo '{ "typeCheckingMode": "strict" }' >"$folder/types/pyrightconfig.json"
"$folder/tools/bin/basedpyright" -p "$folder/types" --pythonpath "$folder/empty/bin/python"
minor=$("$newest" -c 'import sys; print(sys.version_info[1])')
HOLDFAST_README_PYTHON="$folder/empty/bin/python" \
  "$folder/tests-3.$minor/bin/python" -m pytest -p no:cacheprovider tests/test_readme.py
