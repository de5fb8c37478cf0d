# What torsional modes of assemblies take: run `gnuplot scaling.gp` in this folder. Figures of tests/bench/bench_modes.
set datafile separator ','
set terminal pngcairo size 1200,600 font "Sans,14"
set output 'scaling.png'
set logscale xy
set border 3 lc rgb '#555555'
set tics nomirror out scale 0.6
set grid ytics lc rgb '#e4e4e4'
set key right bottom samplen 1.8
set xrange [150:15000]
set xtics (200, 500, 1000, 2000, 5000, 10000)
set xlabel 'residues, all φ and ψ'
set multiplot layout 1,2 title 'twenty softest modes of an elastic network of heavy atoms' font ',18'
set ylabel 'processor time (s)'
set yrange [0.01:500]
plot 'scaling.csv' skip 1 using 1:4 with linespoints lc rgb '#0072B2' lw 1.6 pt 7 title 'measured', \
     120 with lines lc rgb '#D55E00' dt 2 title '2 minutes', \
     107.5*(x/10105)**3 with lines lc rgb '#999999' dt 3 title 'n^3'
set ylabel 'largest resident memory (GB)'
set yrange [0.01:10]
plot 'scaling.csv' skip 1 using 1:5 with linespoints lc rgb '#0072B2' lw 1.6 pt 7 title 'measured', \
     4 with lines lc rgb '#D55E00' dt 2 title '4 GB', \
     3.13*(x/10105)**2 with lines lc rgb '#999999' dt 3 title 'n^2'
unset multiplot
