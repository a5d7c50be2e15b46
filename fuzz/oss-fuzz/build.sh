#!/bin/bash -eu
exec bash -eu "$SRC/uriproof/.clusterfuzzlite/build.sh"
