# What run.sh's table shows: gnuplot -e "table='closing.csv'; picture='closing.png'" closing.gp
set terminal pngcairo size 1000,420 font "sans,11"
set output picture
set datafile separator ","
set key autotitle columnhead
set multiplot layout 1,2
set xlabel "q (0 open, 1 closed)"
set xrange [0:1]
set grid
set ylabel "least distance between heavy atoms (Å)"
set yrange [0:4]
set key bottom left
plot table using 1:2 with linespoints pt 7 lc rgb "#c44e52" title "rigid, side chains of 2LAO", \
     table using 1:3 with linespoints pt 7 lc rgb "#dd8452" title "rigid, best of both", \
     table using 1:4 with linespoints pt 7 lc rgb "#4c72b0" title "driven, interface gives way", \
     2.4 with lines dt 2 lc rgb "#555555" title "2.4 Å"
set ylabel "energy above the open state (kJ/mol)"
set yrange [-100:350]
set key top left
plot table using 1:5 with linespoints pt 7 lc rgb "#4c72b0" title "driven at 300 K, then cooled", \
     227 * 0.5 * 0.0083144626 * 300 with lines dt 2 lc rgb "#555555" title "kT/2 for each of 227 coordinates"
unset multiplot
