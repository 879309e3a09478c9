#!/usr/bin/env bash
# As ../core-1.15/prepare.sh, for the programs of aws-1.15/ and api-1.15/: makes the AWS provider v1.15.1 buildable with a Go toolchain that is older than
# its go.mod asks for. Nothing of Karpenter is written into this folder.
#
#   ./prepare.sh SCRATCH                 a folder of your own
#   export GOWORK=SCRATCH/go.work GOTOOLCHAIN=local
#   (cd ../aws-1.15 && go build -p 2 -o "$BIN"/ ./cmd/...); (cd ../api-1.15 && go build -p 2 -o "$BIN"/ ./cmd/...)
#
# Replaced, because the proxy does not give them: core v1.15.1 (by v1.15.0) and the SDK's timestreamwrite v1.43.1 (by v1.36.2, which decides nothing).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${1:?give a scratch folder}"; mkdir -p "$1"
scratch=$(cd "$1" && pwd)
export GOTOOLCHAIN=local GOWORK=off
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

unpack sigs.k8s.io/karpenter v1.15.0 h1:5SEptlAvsOZbNg4qg8OSdF1qi6BEZHZLA020nXY7jGw= "$scratch/karpenter"
unpack github.com/aws/karpenter-provider-aws v1.15.1 h1:6eH///KgWKDwD2R6wHRnKGN8Vu8OHueaXjNdx64TnuY= "$scratch/karpenter-provider-aws"

cat > "$scratch/go.work" <<WORK
go $have

use (
	$here
	$(dirname "$here")/api-1.15
)

replace (
	sigs.k8s.io/karpenter => $scratch/karpenter
	github.com/aws/karpenter-provider-aws => $scratch/karpenter-provider-aws
	github.com/aws/aws-sdk-go-v2/service/timestreamwrite => github.com/aws/aws-sdk-go-v2/service/timestreamwrite v1.36.2
)
WORK
echo "AWS provider v1.15.1 with core v1.15.0 is in $scratch (go line $have)"
echo "export GOWORK=$scratch/go.work GOTOOLCHAIN=local"
