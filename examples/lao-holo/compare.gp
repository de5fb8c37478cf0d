# F(q) of two runs of `cardo sample` in one picture, with error bands of one standard error, each from its value nearest to q = AT:
#   gnuplot -c compare.gp HOLO.sample APO.sample [OUT.png] [AT]
holo = ARG1; apo = ARG2
out = ARGC > 2 ? ARG3 : 'compare.png'
at = ARGC > 3 ? real(ARG4) : 0.0
set datafile separator ','
set encoding utf8
set terminal pngcairo size 1000,700 font "Sans,14"
set output out
set border 3; set tics nomirror out; set grid ytics lc rgb '#e4e4e4'
set key top left reverse Left noenhanced
set xlabel 'q (0: first structure, 1: second)'
set ylabel 'F (kJ/mol), each from q = '.sprintf('%g', at)
# F at the place nearest to AT
nearest = 1e300; zero = 0
look(x, F) = abs(x - at) < nearest ? (nearest = abs(x - at), zero = F, 0) : 0
stats holo.'/pmf.csv' skip 1 using (look($1, $2)) nooutput; zero_holo = zero
nearest = 1e300
stats apo.'/pmf.csv' skip 1 using (look($1, $2)) nooutput; zero_apo = zero
plot holo.'/pmf.csv' skip 1 using 1:($2-zero_holo-$3):($2-zero_holo+$3) with filledcurves fc rgb '#550072B2' notitle, \
     holo.'/pmf.csv' skip 1 using 1:($2-zero_holo) with lines lw 2 lc rgb '#0072B2' title holo, \
     apo.'/pmf.csv' skip 1 using 1:($2-zero_apo-$3):($2-zero_apo+$3) with filledcurves fc rgb '#55D55E00' notitle, \
     apo.'/pmf.csv' skip 1 using 1:($2-zero_apo) with lines lw 2 lc rgb '#D55E00' title apo
