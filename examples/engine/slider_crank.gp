# Draws slider_crank.png: example_slider_crank slider_crank.dat && gnuplot slider_crank.gp
set terminal pngcairo size 1000,430 font ",11"
set output "slider_crank.png"
set multiplot layout 1,2
set grid
set xlabel "crank (degrees)"
set xrange [0:360]
set xtics 90
set ylabel "acceleration of the piston (m/s^2)"
plot "slider_crank.dat" using 1:3 with lines linewidth 2 notitle
set ylabel "N, N m"
set key outside top center horizontal
plot "slider_crank.dat" using 1:4 with lines linewidth 2 title "main bearing", \
  "" using 1:5 with lines linewidth 2 title "on the cylinder's wall", \
  "" using 1:($6*10) with lines linewidth 2 title "motor, tenfold"
unset multiplot
