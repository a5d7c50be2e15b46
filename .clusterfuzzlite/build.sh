#!/bin/bash -eu
# Builds the fuzz targets as ClusterFuzzLite and OSS-Fuzz want them: $SRC/uriproof -> binaries, seeds and dictionaries in $OUT.

cd "$SRC/uriproof"
# One build for all targets: what one of them tests is instrumented, and nothing else.
export RUSTC_WRAPPER=$PWD/fuzz/rustc FUZZ_UNDER_TEST=us
# Where the environment asks for no sanitizer, none is built in; else it is AddressSanitizer.
options=()
case ${SANITIZER:-address} in none) options+=(--sanitizer none) ;; esac
cargo fuzz build -O "${options[@]}"
built=${CARGO_TARGET_DIR:-fuzz/target}/$(rustc -vV | sed -n 's/^host: //p')/release
for entry in fuzz/fuzz_targets/*.rs; do
  target=$(basename "$entry" .rs)
  cp "$built/$target" "$OUT/"
  rm -f "$OUT/${target}_seed_corpus.zip"
  python3 -m zipfile -c "$OUT/${target}_seed_corpus.zip" "corpus/$target"/*
  case $target in protocol | vectors) words=$target ;; *) words=references ;; esac
  cp "fuzz/dictionaries/$words" "$OUT/$target.dict"
done
