# What run.sh makes: gnuplot -e "scan='scan.csv'; run='trajectory.csv'; picture='wells.png'" wells.gp
set terminal pngcairo size 1000,420 font "sans,11"
set output picture
set datafile separator ","
set multiplot layout 1,2
set grid
set xlabel "q (0 open, 1 closed)"
set ylabel "energy (kJ/mol)"
set xrange [-0.35:1.1]
set yrange [-22:10]
plot scan using 1:2 every ::1 with lines lw 2 lc rgb "#4c72b0" notitle
set xlabel "time (ns)"
set ylabel "q"
set xrange [0:400]
set yrange [-0.35:1.1]
plot run using (column("time (ps)") / 1000):(column("q mobile")) with lines lc rgb "#4c72b0" notitle
unset multiplot
