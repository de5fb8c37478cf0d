# Draws loop.png: example_loop loop.dat && gnuplot loop.gp
set encoding utf8
set terminal pngcairo size 1000,760 font ",11"
set output "loop.png"
set multiplot
set size 0.5,0.5
set origin 0,0.5
set title "six torsions: all closures"
unset tics
unset border
set view 64,150
set view equal xyz
splot for [k = 0:7] "loop.dat" index 0 every :::k::k using 1:2:3 with linespoints linewidth 2 pointtype 7 pointsize 0.6 notitle
set border
set tics
set size 0.5,0.5
set origin 0.5,0.5
set title "seven torsions: one freedom"
set xlabel "φ_1 (degrees)"
set ylabel "torsion (degrees)"
set grid
set key inside center right
names = "φ_1 ψ_1 φ_2 ψ_2 φ_3 ψ_3 φ_4"
plot for [i = 3:6:3] "loop.dat" index 1 using 2:i + 1 with lines linewidth 2 linecolor i title word(names, i)
set size 1,0.5
set origin 0,0
set title "seven torsions: moving along it at constant energy"
set xlabel "time (ps)"
set key outside below center horizontal
plot for [i = 1:7] "loop.dat" index 2 using 1:i + 1 with lines linewidth 1.5 title word(names, i)
unset multiplot
