# Draws ball.png: example_ball ball.dat && gnuplot ball.gp
set terminal pngcairo size 1000,400 font ",11"
set output "ball.png"
set multiplot layout 1,2
set grid
set xlabel "along (m)"
set ylabel "height above its rest (m)"
plot "ball.dat" index 0 using 2:3 with lines linewidth 2 notitle
set xlabel "time (s)"
set ylabel "m/s"
set key outside top center horizontal
plot "ball.dat" index 1 using 1:2 with lines linewidth 2 title "speed, friction 0.1", "" index 1 using 1:3 with lines linewidth 2 title "radius times spin", \
  "" index 2 using 1:2 with lines linewidth 2 title "speed, friction 0.2", "" index 2 using 1:3 with lines linewidth 2 title "radius times spin"
unset multiplot
