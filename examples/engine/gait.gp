# Draws gait.png: example_gait gait.dat && gnuplot gait.gp
set terminal pngcairo size 1000,430 font ",11"
set output "gait.png"
set multiplot layout 1,2
set size ratio -1
set grid
set xlabel "m"
plot "gait.dat" index 1 using 1:2 with lines linewidth 2 linecolor "black" notitle
set size noratio
set xlabel "part of the cycle"
set ylabel "N m"
set key outside top center horizontal
plot "gait.dat" index 0 using 1:2 with lines linewidth 2 title "hip", "" index 0 using 1:3 with lines linewidth 2 title "knee", \
  "" index 0 using 1:4 with lines linewidth 2 title "ankle"
unset multiplot
