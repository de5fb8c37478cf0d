# Draws four_bar.png: example_four_bar four_bar.dat && gnuplot four_bar.gp
set terminal pngcairo size 1000,430 font ",11"
set output "four_bar.png"
set multiplot layout 1,2
set size ratio -1
set xrange [-1.4:4.4]
set yrange [-1.6:3.4]
set grid
set key top right
plot "four_bar.dat" index 1 using 1:2 with lines linecolor "gray70" notitle, \
  "four_bar.dat" index 1 every :::0::1 using 1:2 with linespoints linewidth 2 pointtype 7 linecolor "black" title "as it was assembled", \
  "four_bar.dat" index 0 using 4:5 with lines linewidth 2 linecolor 7 title "a point of the coupler"
set size noratio
set yrange [*:*]
set xrange [0:3]
set xlabel "time"
set ylabel "angle (radian)"
set key outside top center horizontal
plot "four_bar.dat" index 2 using 1:2 with lines linewidth 2 title "crank", \
  "" index 2 using 1:3 with lines linewidth 2 title "coupler, from the crank", \
  "" index 2 using 1:4 with lines linewidth 2 title "rocker"
unset multiplot
