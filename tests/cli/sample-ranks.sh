#!/usr/bin/env bash
# cardo sample: the same files from 1, 2 and 4 processes or MPI ranks, and after one of them was killed in the middle.
. "$(dirname "$0")/support.sh"

need_shared
without_pictures
write_lao_wells lao.xml 'walkers="4" steps="400" round="20" interval="10"'
# ranks that wait leave the cores to other tests
export OMPI_MCA_mpi_yield_when_idle=1
mpi=(mpirun --allow-run-as-root --oversubscribe)
command -v mpirun >/dev/null && "${mpi[@]}" -n 4 true 2>/dev/null || mpi=()

rows() { # folder: samples in its COLVAR
    grep -vc '^#' "$1/COLVAR" 2>/dev/null || true
}

same() { # folders that must agree in all that a study finds
    for file in pmf.csv states.csv windows.csv overlap.csv convergence.csv COLVAR HILLS u_kn.npy N_k.npy checkpoint.cardo; do
        [ ! -e "$1/$file" ] && [ ! -e "$2/$file" ] || check cmp "$1/$file" "$2/$file"
    done
}

# killed FOLDER RANK WORDS...: starts the command, kills one of its processes a third of the way, and sees that it was neither
# before the first checkpoint nor behind the end.
killed() {
    local folder=$1 rank=$2 all id victim
    shift 2
    all=$(rows one)
    "$@" --out "$folder" --quiet >/dev/null 2>killed.err &
    id=$!
    for _ in $(seq 3000); do
        [ "$(rows "$folder")" -gt $((all / 3)) ] 2>/dev/null && break
        kill -0 $id 2>/dev/null || break
        sleep 0.02
    done
    victim=$id
    [ "$rank" = 0 ] || victim=$(pgrep -P $id | sed -n "${rank}p")
    [ -n "$victim" ] && check kill -KILL "$victim"
    wait $id 2>/dev/null
    check test $? != 0
    check test ! -e "$folder/pmf.csv"
    for _ in $(seq 100); do
        pgrep -P $id >/dev/null || break
        sleep 0.1
    done
    cp -r "$folder" counted
    run 0 sample lao.xml "${study[@]}" --out counted --continue --set sample.steps=0 --processes 1 --quiet
    check test "$(rows counted)" -ge $((all / 3 - all / 30)) -a "$(rows counted)" -lt "$all"
    rm -r counted
}

# The methods differ in what they make of walkers, which others test; a sanitizer sees enough of teams with one. Metadynamics goes by two
# hands, umbrella sampling by four; each by ranks, and killed.
methods=(umbrella metadynamics)
figures || methods=(metadynamics)
i=0
for method in "${methods[@]}"; do
    study=(--set sample.method=$method)
    [ $method = umbrella ] || study+=(--set sample.steps=2100 --set sample.to=0.2 --set sample.bins=8 --set "sample.states=-0.2:0 0:0.2")
    hands=$([ $method = umbrella ] && echo 4 || echo 2)
    run 0 sample lao.xml "${study[@]}" --out one --processes 1 --quiet
    check test "$(rows one)" -gt 100
    run 0 sample lao.xml "${study[@]}" --out several --processes $hands --quiet
    same one several
    killed dead $((i++ % 2)) "$cardo" sample lao.xml "${study[@]}" --processes 2
    run 0 sample lao.xml "${study[@]}" --out dead --continue --processes 4 --quiet
    same one dead
    if [ ${#mpi[@]} -gt 0 ] && [ $method = umbrella ]; then
        "${mpi[@]}" -n 4 "$cardo" sample lao.xml "${study[@]}" --out ranks --quiet
        same one ranks
    elif [ ${#mpi[@]} -gt 0 ]; then
        killed lost 2 "${mpi[@]}" -n 2 "$cardo" sample lao.xml "${study[@]}"
        "${mpi[@]}" -n 2 "$cardo" sample lao.xml "${study[@]}" --out lost --continue --quiet
        same one lost
    fi
    rm -rf one several dead ranks lost
done

# Killed while it prepares: what was done then is not done again, and the files are the same.
study=(--set sample.method=metadynamics --set sample.walkers=2 --set sample.equilibration=12000)
run 0 sample lao.xml "${study[@]}" --out one --processes 2 --quiet
"$cardo" sample lao.xml "${study[@]}" --out dead --processes 2 >/dev/null 2>killed.err &
id=$!
for _ in $(seq 3000); do
    [ "$(stat -c %s dead/checkpoint.cardo 2>/dev/null || echo 0)" -gt 30000 ] && break
    kill -0 $id 2>/dev/null || break
    sleep 0.01
done
check kill -KILL $id
wait $id 2>/dev/null
check test ! -e dead/COLVAR
run 0 sample lao.xml "${study[@]}" --out dead --continue --processes 1 --quiet
same one dead
finish
