#!/usr/bin/env bash
# Downloads, from a server on loopback: what comes whole is kept, what does not leaves nothing behind.
. "$(dirname "$0")/support.sh"

# Files as the archive has them: the committed structure, and a small mmCIF.
mkdir served
# header ID: the record that says which entry a PDB file is
header() { printf '%-62s%-18s\n' 'HEADER    IMMUNOGLOBULIN                          15-AUG-89' "$1"; }
{ header 2MCG; cat "$source_tree/pdb/2mcg_1.pdb"; } >served/2MCG.pdb
cat >served/1ABC.cif <<'CIF'
data_1ABC
#
loop_
_atom_site.group_PDB
_atom_site.id
_atom_site.type_symbol
_atom_site.label_atom_id
_atom_site.label_alt_id
_atom_site.label_comp_id
_atom_site.label_asym_id
_atom_site.label_seq_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
_atom_site.auth_seq_id
_atom_site.auth_asym_id
ATOM 1 N N . GLY A 1 0.000 0.000 0.000 5 A
ATOM 2 C CA . GLY A 1 1.450 0.000 0.000 5 A
ATOM 3 C C . GLY A 1 2.000 1.420 0.000 5 A
ATOM 4 O O . GLY A 1 1.250 2.390 0.000 5 A
#
CIF
# entry ID: the small structure as that entry
entry() { sed "s/1ABC/$1/" served/1ABC.cif; }
entry 2GZP | gzip -c >served/2GZP.cif.gz
{ entry 2TWO | gzip -c; printf '#\n' | gzip -c; } >served/2TWO.cif.gz
head -c 150 served/2GZP.cif.gz >served/2CUT.cif.gz
head -c 8000000 /dev/zero | gzip -9c >served/2BOM.cif.gz
{ head -c 60 served/2GZP.cif.gz; head -c 500 /dev/urandom; } >served/2BAD.cif.gz
echo '<!DOCTYPE html><html><body>Log in</body></html>' >served/3HTM.cif
: >served/3NIL.cif
echo '{"error": "none"}' >served/3JSN.cif
entry 3SHT | head -c -12 >served/3SHT.cif
# Whole rows, and a length that is right, of a file that was cut where it lies; a PDB file likewise.
entry 3ROW | head -n -2 >served/3ROW.cif
entry 3GZR | head -n -2 | gzip -c >served/3GZR.cif.gz
{ header 3END; head -n 500 "$source_tree/pdb/2mcg_1.pdb"; } >served/3END.pdb
# Another entry under the name that was asked for, in every way that a file says so.
entry 5XYZ >served/3OTH.cif
{ echo 'data_3OTI'; echo '_entry.id 5XYZ'; entry 3OTI | tail -n +2; } >served/3OTI.cif
{ header 5XYZ; cat "$source_tree/pdb/2mcg_1.pdb"; } >served/3OTH.pdb
# What says nothing of it; what says it twice, in two ways; what has no line '#' at all.
entry 4NON | sed 's/data_4NON/data_model/' >served/4NON.cif
cp "$source_tree/pdb/2mcg_1.pdb" served/4NON.pdb
{ echo 'data_r4extsf'; echo '_entry.id pdb_00004EXT'; entry 4EXT | tail -n +2; } >served/4EXT.cif
entry 4LIN | sed '/^#/d' >served/4LIN.cif
entry 4LIN | sed '/^#/d' | head -c -1 >served/4LIO.cif
sed -i s/4LIN/4LIO/ served/4LIO.cif
echo 'data_3EMP' >served/3EMP.cif
cp served/1ABC.cif served/pdb_00001abc.cif
cp served/1ABC.cif served/4MIX.pdb
entry 3WRG | sed 's/1.450/abc/' >served/3WRG.cif
# Two hundred thousand rows, all alike, packed three hundredfold.
python3 - <<'PY'
import gzip
row = b'ATOM 1 N N . GLY A 1 0.000 0.000 0.000 5 A\n'
with gzip.open('served/2BIG.cif.gz', 'wb', 9) as out:
    out.write(open('served/1ABC.cif', 'rb').read().replace(b'1ABC', b'2BIG').rstrip(b'#\n') + b'\n')
    for _ in range(1000):
        out.write(row * 200)
    out.write(b'#\n')
PY

cat >server.py <<'PY'
import gzip, http.server, os, sys, threading, time

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def body(self, data, length=None, **headers):
        self.send_response(200)
        for key, value in headers.items():
            self.send_header(key.replace('_', '-'), value)
        if length != 0:
            self.send_header('Content-Length', str(length or len(data)))
        else:
            self.send_header('Connection', 'close')
            self.close_connection = True
        self.end_headers()
        self.wfile.write(data)

    def fail(self, status, **headers):
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key.replace('_', '-'), value)
        self.send_header('Content-Length', '0')
        self.end_headers()

    def do_GET(self):
        with open('requests', 'a') as log:
            log.write('%s %s\n' % (self.path, self.headers.get('Accept-Encoding')))
        path = self.path.split('://')[-1].split('/', 1)[-1] if '://' in self.path else self.path[1:]
        kind, _, name = path.rpartition('/')
        file = os.path.join('served', name)
        if kind.startswith('status'):
            return self.fail(int(kind[6:]))
        if kind == 'loop':
            return self.fail(302, Location=self.path)
        if kind == 'moved':
            return self.fail(301, Location='/' + name)
        if kind == 'elsewhere':
            return self.fail(302, Location='file://' + os.path.abspath(file))
        if kind == 'late':
            time.sleep(0.4)
        if not os.path.isfile(file):
            return self.fail(404)
        data = open(file, 'rb').read()
        if kind == 'truncated':
            self.body(data[:len(data) // 2], len(data))
            self.close_connection = True
        elif kind == 'unsized':
            self.body(data, 0)
        elif kind == 'unsized-cut':
            self.body(data[:data.rindex(b'ATOM')], 0)
        elif kind == 'transfer-gzip':
            self.body(gzip.compress(data), Content_Encoding='gzip')
        elif kind == 'huge':
            self.body(data, 10 ** 10)
            self.close_connection = True
        elif kind == 'hang':
            time.sleep(20)
        elif kind == 'stall':
            self.body(data[:100], len(data))
            self.wfile.flush()
            time.sleep(20)
        elif kind == 'slow':
            self.send_response(200)
            self.send_header('Content-Length', str(len(data)))
            self.end_headers()
            for k in range(0, len(data), len(data) // 8 + 1):
                self.wfile.write(data[k:k + len(data) // 8 + 1])
                self.wfile.flush()
                time.sleep(0.1)
        elif kind == 'drip':
            self.send_response(200)
            self.send_header('Content-Length', str(len(data)))
            self.end_headers()
            for byte in range(min(len(data), 4000)):
                self.wfile.write(data[10 * byte:10 * byte + 10])
                self.wfile.flush()
                time.sleep(0.05)
        elif kind.startswith('endless'):
            self.send_response(200)
            if kind == 'endless-gzip':
                self.send_header('Content-Encoding', 'gzip')
            self.send_header('Connection', 'close')
            self.end_headers()
            packer = gzip.GzipFile(fileobj=self.wfile, mode='wb') if kind == 'endless-gzip' else self.wfile
            packer.write(data[:data.rindex(b'ATOM')])
            row = b'ATOM 1 N N . GLY A 1 0.000 0.000 0.000 5 A\n' * 1000
            while True:
                packer.write(row)
        elif kind == 'drop':
            self.close_connection = True
        else:
            self.body(data)

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
server.daemon_threads = True
with open('port.new', 'w') as f:
    f.write(str(server.server_port))
os.rename('port.new', 'port')
server.serve_forever()
PY
python3 server.py 2>server.log &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do
    [ -e port ] && break
    sleep 0.1
done
[ -e port ] || {
    echo "FAILED: the server did not start"
    cat server.log
    exit 1
}
base=http://127.0.0.1:$(cat port)
unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY

# nothing PATTERN WORDS...: such a download fails with such a message, and leaves no file
nothing() {
    local pattern=$1
    shift
    rm -rf none
    run 1 fetch --out none "$@"
    says err "$pattern"
    check test -z "$(ls -A none 2>/dev/null)"
}

# What is there: both formats, folders and templates, small letters, compressed files and transfers.
run 0 fetch --url "$base" 1ABC
check cmp 1ABC.cif served/1ABC.cif
says out '^1ABC.cif: 1 residues, 4 atoms'
run 0 fetch --url "$base/" --format pdb --out new/folder 2mcg
check cmp new/folder/2mcg.pdb served/2MCG.pdb
run 0 fetch --url "$base" 2GZP 2TWO pdb_00001ABC
entry 2GZP >2gzp.expected
check cmp 2GZP.cif 2gzp.expected
check test "$(tail -2 2TWO.cif | tr -d '\n')" = '##'
check cmp pdb_00001ABC.cif served/1ABC.cif
run 0 fetch --url "$base/transfer-gzip/{ID}.{format}" 1ABC --out packed
check cmp packed/1ABC.cif served/1ABC.cif
says requests '^/transfer-gzip/1ABC.cif gzip'
run 0 fetch --url "$base/moved/" 1ABC --out moved
check cmp moved/1ABC.cif served/1ABC.cif
run 0 fetch --url "$base/unsized" 1ABC --out unsized
run 0 fetch --url "$base/unsized" --format pdb 2MCG --out unsized
check cmp unsized/2MCG.pdb served/2MCG.pdb

# Six at once into one folder: whoever comes first or last, all have the file.
for kind in "" late slow; do
    pids=()
    for _ in 1 2 3 4 5 6; do
        "$cardo" fetch --url "$base/$kind" --out "six$kind" --format pdb --quiet 2MCG >/dev/null 2>>six.err &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do check wait "$pid"; done
    check cmp "six$kind/2MCG.pdb" served/2MCG.pdb
    check test "$(ls -A "six$kind")" = 2MCG.pdb
done
check test ! -s six.err

# Progress on standard error, unless quiet; JSON on standard output.
run 0 fetch --url "$base/slow" --format pdb 2MCG --out slow
says err '^2MCG +[1-9]0 %.* of [0-9]+ kB'
run 0 fetch --url "$base/slow" --format pdb 2MCG --out slow --force --quiet
check test ! -s err
run 0 fetch --url "$base" --json --out json 1ABC 2GZP
json out 'len(d) == 2 and d[0]["id"] == "1ABC" and d[0]["atoms"] == 4 and d[1]["url"].endswith("/2GZP.cif.gz")'

# What a file says of itself, or does not say.
run 0 fetch --url "$base" 4EXT 4LIN --json
json out 'all(e["confirmed"] for e in d)'
check test ! -s err
run 0 fetch --url "$base" 4NON
says err '4NON.cif: the file does not say which entry it is'
run 0 fetch --url "$base" --format pdb 4NON
says err '4NON.pdb: the file does not say which entry it is'

# This entry, whole, that is there already is fine, and the server is not asked.
: >requests
run 0 fetch --url "$base" 1ABC
says out '^1ABC.cif: 1 residues, 4 atoms.*was there already.*--force'
run 0 fetch --url "$base" 1ABC --json
json out 'd[0]["was_there"] and "url" not in d[0]'
check test ! -s requests

# Any other file that is there stays as it is; the others come.
for what in 's/1ABC/5XYZ/' 's/data_1ABC/data_mine/' '$d' 's/1.450/abc/'; do
    sed "$what" served/1ABC.cif >1ABC.cif
    cp 1ABC.cif mine
    run 1 fetch --url "$base" 1ABC
    says err '1ABC.cif: is there already.*--force'
    check cmp 1ABC.cif mine
done
echo mine >1ABC.cif
: >requests
run 1 fetch --url "$base" 1ABC
says err '1ABC.cif: is there already.*--force'
check test "$(cat 1ABC.cif)" = mine
check test ! -s requests
run 0 fetch --url "$base" 1ABC --force
check cmp 1ABC.cif served/1ABC.cif
rm -f 2GZP.cif
run 1 fetch --url "$base" 9ZZZ 9ZZY 2GZP 2gzp
says err '9ZZZ.*404'
says err '9ZZY.*404'
check cmp 2GZP.cif 2gzp.expected
check test ! -e 2gzp.cif

# A failure with --force leaves the old file.
run 1 fetch --url "$base/truncated" 1ABC --force
check cmp 1ABC.cif served/1ABC.cif
check test ! -e 1ABC.cif.part

# What the server may answer instead.
nothing 'no entry 9ZZZ.*404.*look the id up' --url "$base" 9ZZZ
nothing 'leave out --format pdb' --url "$base" --format pdb 1ABC
nothing 'HTTP status 503.*later' --url "$base/status503" 1ABC
nothing 'HTTP status 403' --url "$base/status403" 1ABC
nothing 'HTTP status 204' --url "$base/status204" 1ABC
nothing 'web page' --url "$base" 3HTM
nothing 'sent nothing' --url "$base" 3NIL
nothing 'no mmCIF' --url "$base" 3JSN
nothing 'mmCIF where a PDB file' --url "$base" --format pdb 4MIX
nothing '3SHT.cif:[0-9]+' --url "$base" 3SHT
nothing '3EMP.cif' --url "$base" 3EMP
nothing '3WRG.cif:18' --url "$base" 3WRG
nothing 'connection broke|try again' --url "$base/truncated" 1ABC
nothing 'cut short' --url "$base/unsized-cut" 1ABC
nothing 'cut short' --url "$base/unsized-cut" --format pdb 2MCG
nothing 'cut short' --url "$base" 2CUT
nothing 'damaged' --url "$base" 2BAD
nothing 'unpacks to more' --url "$base" 2BOM
nothing 'seems cut short' --url "$base" 3ROW
nothing 'seems cut short' --url "$base" 3GZR
nothing 'seems cut short' --url "$base" --format pdb 3END
nothing 'seems cut short' --url "$base" 4LIO
nothing 'seems cut short' --url "$base/unsized" 4LIN
nothing 'this is entry 5XYZ, not 3OTH' --url "$base" 3OTH
nothing 'this is entry 5XYZ, not 3OTI' --url "$base" 3OTI
nothing 'this is entry 5XYZ, not 3OTH' --url "$base" --format pdb 3OTH
nothing 'no entry is as large' --url "$base/huge" 1ABC
nothing 'try again' --url "$base/drop/{ID}.{format}" 1ABC
nothing 'redirect' --url "$base/loop/{ID}.cif" 1ABC
nothing 'rotocol' --url "$base/elsewhere/{ID}.cif" 1ABC
nothing 'timed out|too slow.*--timeout' --url "$base/hang/{ID}.{format}" --timeout 0.3 1ABC
nothing 'timed out|too slow.*--timeout' --url "$base/stall/{ID}.{format}" --timeout 0.3 1ABC
nothing 'timed out.*--timeout' --url "$base/drip/{ID}.{format}" --format pdb --timeout 0.5 2MCG
# The time is that of all addresses together at which the entry is looked for.
nothing 'timed out.*--timeout' --url "$base/late" --timeout 1 9ZZZ
# What has no end, or unpacks to far more, takes no more memory than the limit, twice, and the program's own.
nothing 'more than 20000000 bytes.*--limit' --url "$base/endless" --limit 20 1ABC
nothing 'more than 20000000 bytes.*--limit' --url "$base/endless-gzip" --limit 20 1ABC
nothing 'unpacks to more than [0-9]+ bytes.*--limit' --url "$base" --limit 20 2BIG
if [ -z "${CARDO_SANITIZE:-}" ]; then
    peak() {
        python3 - "$cardo" fetch --out none --limit 20 "$@" 2>/dev/null <<'PY'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
    }
    own=$(peak --url "$base" 9ZZZ)
    for kind in endless endless-gzip; do
        check test "$(peak --url "$base/$kind" 1ABC)" -lt $((own + 80000))
    done
    check test "$(peak --url "$base" 2BIG)" -lt $((own + 80000))
fi
nothing 'no entry is as large.*--limit' --url "$base/huge" --limit 10 1ABC
nothing 'no entry is as large.*--limit' --url "$base" --limit 0.1 --format pdb 2MCG
run 0 fetch --url "$base" --limit 1 --format pdb 2MCG --out small
nothing 'is there a network' --url http://127.0.0.1:1 1ABC
nothing 'resolve.*is there a network' --url "http://$(printf 'x%.0s' {1..70}).invalid" 1ABC

# A folder or disk that takes nothing.
run 1 fetch --url "$base" 1ABC --out served/1ABC.cif
says err 'served/1ABC.cif'

# Proxies from the environment.
: >requests
http_proxy=$base run 0 fetch --url http://mirror.invalid 1ABC --out proxied
check cmp proxied/1ABC.cif served/1ABC.cif
says requests '^http://mirror.invalid/1ABC.cif'
http_proxy=http://127.0.0.1:1 no_proxy=127.0.0.1 run 0 fetch --url "$base" 1ABC --out unproxied

# Wrong command lines ask no server.
: >requests
for id in 2LA 2LAO1 ABCD ../a 2LAO.cif pdb_12; do
    run 2 fetch --url "$base" 1ABC "$id"
    says err 'no id of a PDB entry'
done
run 2 fetch --url "$base"
says err 'needs ids'
run 2 fetch --url "$base" 1ABC --format xml
says err "cif or pdb, not 'xml'"
run 2 fetch --url "$base/{name}" 1ABC
says err '\{name\} is not known'
run 2 fetch --url ftp://127.0.0.1 1ABC
says err 'http'
run 2 fetch --url "$base" 1ABC --timeout soon
says err 'seconds'
run 2 fetch --url "$base" 1ABC --timeout 0
says err 'seconds'
for limit in 0 -1 nan 1e9 many; do
    run 2 fetch --url "$base" 1ABC --limit $limit
    says err '--limit is a number of megabytes'
done
check test ! -s requests
finish
