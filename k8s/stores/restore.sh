# Runs inside the events store's container: /data/events.rdb becomes the base of its log. The server that
# runs keeps its old files open; the next start reads the new ones.
set -eu
cd "${DATA:-/data}"
test -s events.rdb
mkdir restored
mv events.rdb restored/appendonly.aof.1.base.rdb
echo "file appendonly.aof.1.base.rdb seq 1 type b" > restored/appendonly.aof.manifest
mv appendonlydir before-restore
mv restored appendonlydir
