# Draws dominoes.png: example_dominoes dominoes.dat && gnuplot dominoes.gp
set terminal pngcairo size 800,620 font ",11"
set output "dominoes.png"
set multiplot layout 4,1
set size ratio -1
set xrange [-0.045:0.32]
set yrange [0:0.056]
unset xtics
unset ytics
do for [k=1:4] {
  set title sprintf("%d ms", k*200)
  plot "dominoes.dat" index k using 1:2 with lines linewidth 2 linecolor "black" notitle
}
unset multiplot
