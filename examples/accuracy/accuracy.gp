# Draws accuracy.png from accuracy.dat: example_accuracy >accuracy.dat && gnuplot accuracy.gp
set terminal pngcairo size 1000,430 font ",11"
set output "accuracy.png"
set multiplot layout 1,2
set logscale xy
set format "10^{%L}"
set key left top
set grid
set xlabel "accuracy asked for, {/Symbol a}"
set ylabel "greatest error of the links' places (nm)"
set xrange [3e-10:0.3]
names = "rk-merson adams bdf"
plot x with lines dashtype 2 linecolor "gray" title "error = {/Symbol a}", \
  for [m = 0:2] "accuracy.dat" index m using 1:2 with linespoints linecolor m + 1 pointtype m + 5 title word(names, m + 1)
set key right top
set xlabel "greatest error (nm)"
set ylabel "evaluations of the forces"
set xrange [1e-9:3]
set format y "%g"
plot for [m = 0:2] "accuracy.dat" index m using 2:3 with linespoints linecolor m + 1 pointtype m + 5 title word(names, m + 1)
unset multiplot
