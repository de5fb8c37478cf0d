# Draws squeezer.png: example_squeezer squeezer.dat && gnuplot squeezer.gp
set terminal pngcairo size 1000,430 font ",11"
set output "squeezer.png"
set multiplot layout 1,2
set grid
set xlabel "time (ms)"
set ylabel "radian"
set key outside top center horizontal
set xrange [0:30]
plot "squeezer.dat" using ($1*1000):2 with lines linewidth 2 title "beta, the crank"
plot for [k=0:4] "squeezer.dat" using ($1*1000):(column(k == 0 ? 4 : k == 1 ? 5 : k == 2 ? 6 : k == 3 ? 7 : 8)) with lines linewidth 2 linecolor k == 4 ? 8 : k + 1 \
  title word("gamma Phi delta Omega epsilon", k+1)
unset multiplot
