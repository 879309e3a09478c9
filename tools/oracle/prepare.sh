#!/usr/bin/env bash
# Makes the programs of a folder build against Karpenter 1.15 with a Go toolchain that is older than Karpenter's go.mod asks for:
# unpacks the modules (from Go's module cache, downloaded through the ordinary proxy where they are missing) into a scratch folder,
# checks their sums, lowers the go line there, and writes a module file that puts the copies in the modules' place. Nothing of
# Karpenter is written into this folder.
#
#   ./prepare.sh core SCRATCH                 core, aws or api; SCRATCH is a folder of your own
#   . SCRATCH/core.env                        GOFLAGS and GOTOOLCHAIN
#   (cd core && go build -p 2 -o "$BIN"/ ./cmd/...)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${2:?give core, aws or api, and a scratch folder}"
name=$1; mkdir -p "$2"
scratch=$(cd "$2" && pwd)
export GOTOOLCHAIN=local GOWORK=off GOFLAGS=
have=$(go env GOVERSION); have=${have#go}

# unpack MODULE VERSION SUM FOLDER: "go mod download" says no to a module with a newer go line, but leaves its zip in the cache.
unpack() {
  local json zip sum
  json=$(cd "$scratch" && go mod download -json "$1@$2" || true)
  zip=$(sed -n 's/^\t"Zip": "\(.*\)",*$/\1/p' <<<"$json")
  sum=$(sed -n 's/^\t"Sum": "\(.*\)",*$/\1/p' <<<"$json")
  [ -n "$zip" ] || { echo "cannot get $1@$2: $json" >&2; exit 1; }
  [ "$sum" = "$3" ] || { echo "$1@$2 has sum $sum, not $3" >&2; exit 1; }
  rm -rf "$4" "$scratch/unzip"
  mkdir -p "$scratch/unzip"
  python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' "$zip" "$scratch/unzip"
  mv "$scratch/unzip/$1@$2" "$4"
  rm -rf "$scratch/unzip"
  sed -i -E "s/^go [0-9.]+\$/go $have/; /^toolchain /d" "$4/go.mod"
}

# The module file: that of the folder, its go line lowered, with the copies in place.
sed -E "s/^go [0-9.]+\$/go $have/" "$here/$name/karpenter-1.15.mod" > "$scratch/$name.mod"
cp "$here/$name/karpenter-1.15.sum" "$scratch/$name.sum"
unpack sigs.k8s.io/karpenter v1.15.0 h1:5SEptlAvsOZbNg4qg8OSdF1qi6BEZHZLA020nXY7jGw= "$scratch/karpenter"
echo "replace sigs.k8s.io/karpenter => $scratch/karpenter" >> "$scratch/$name.mod"
if [ "$name" != core ]; then
  unpack github.com/aws/karpenter-provider-aws v1.15.2 h1:RGw64PB2ROUHZIUhBqjO78l3zJ9YctnWeullrr4cxYI= "$scratch/karpenter-provider-aws"
  cat >> "$scratch/$name.mod" <<REPLACE
replace github.com/aws/karpenter-provider-aws => $scratch/karpenter-provider-aws
replace github.com/aws/aws-sdk-go-v2/service/timestreamwrite => github.com/aws/aws-sdk-go-v2/service/timestreamwrite v1.36.2
REPLACE
fi
# -mod=mod: the copies' own requirements are not in the module file yet.
echo "export GOTOOLCHAIN=local GOFLAGS='-mod=mod -modfile=$scratch/$name.mod -tags=karpenter_1_15'" > "$scratch/$name.env"
echo ". $scratch/$name.env"
