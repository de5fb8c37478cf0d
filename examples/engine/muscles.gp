# Draws muscles.png: example_muscles muscles.dat && gnuplot muscles.gp
set terminal pngcairo size 1000,400 font ",11"
set output "muscles.png"
set multiplot layout 1,2
set grid
set xlabel "time (s)"
set ylabel "radian; activation"
set yrange [-0.6:1.1]
set key outside top center horizontal
plot "muscles.dat" index 0 using 1:2 with lines linewidth 2 title "shank", "" index 0 using 1:3 with lines dashtype 2 linewidth 1.5 title "first muscle", "" index 0 using 1:4 with lines dashtype 4 linewidth 1.5 title "second muscle"
plot "muscles.dat" index 1 using 1:2 with lines linewidth 2 title "shoulder blade, about z", "" index 1 using 1:3 with lines dashtype 2 linewidth 1.5 title "first muscle", "" index 1 using 1:4 with lines dashtype 4 linewidth 1.5 title "second muscle"
unset multiplot
