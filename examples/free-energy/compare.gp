# F along the coordinate by the methods that were run, each with a band of one standard error.
set datafile separator ','
set terminal pngcairo size 1200,800 font 'Sans,14'
set output picture
set border 3 lc rgb '#555555'
set tics nomirror out scale 0.6
set grid ytics lc rgb '#e4e4e4'
set key inside top left samplen 1.8
set xlabel (name eq 'adk' ? 'lid' : 'mobile').': 0 open, 1 closed'
set ylabel 'free energy (kJ/mol)'
if (name eq 'lao-atomistic') set autoscale y; else set yrange [-1:*]
set style fill transparent solid 0.25 noborder
file(method) = runs.'/'.method.'/pmf.csv'
there(method) = system('test -e '.file(method).' && echo 1 || echo 0') + 0
methods = 'umbrella metadynamics adaptive-force'
colours = '#0072B2 #D55E00 #009E73'
found = ''
shades = ''
do for [i=1:words(methods)] {
    if (there(word(methods, i))) {
        found = found.' '.word(methods, i)
        shades = shades.' '.word(colours, i)
    }
}
if (there('scan')) {
    plot for [i=1:words(found)] file(word(found, i)) skip 1 using 1:($2-$3):($2+$3) with filledcurves lc rgb word(shades, i) notitle, \
         for [i=1:words(found)] file(word(found, i)) skip 1 using 1:2 with lines lw 2 lc rgb word(shades, i) title word(found, i), \
         file('scan') skip 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#222222' title 'scan (exact)'
} else {
    plot for [i=1:words(found)] file(word(found, i)) skip 1 using 1:($2-$3):($2+$3) with filledcurves lc rgb word(shades, i) notitle, \
         for [i=1:words(found)] file(word(found, i)) skip 1 using 1:2 with lines lw 2 lc rgb word(shades, i) title word(found, i)
}
