# F along the coordinate by four methods, each with a band of one standard error.
set datafile separator ','
set terminal pngcairo size 1200,800 font 'Sans,14'
set output picture
set border 3 lc rgb '#555555'
set tics nomirror out scale 0.6
set grid ytics lc rgb '#e4e4e4'
set key inside top left samplen 1.8
set xlabel name eq 'lao' ? 'mobile: 0 open, 1 closed' : 'lid: 0 open, 1 closed'
set ylabel 'free energy (kJ/mol)'
set yrange [-1:*]
set style fill transparent solid 0.25 noborder
file(method) = runs.'/'.method.'/pmf.csv'
# The scan is a free energy only where nothing else varies.
plot file('umbrella') skip 1 using 1:($2-$3):($2+$3) with filledcurves lc rgb '#0072B2' notitle, \
     file('umbrella') skip 1 using 1:2 with lines lw 2 lc rgb '#0072B2' title 'umbrella', \
     file('metadynamics') skip 1 using 1:($2-$3):($2+$3) with filledcurves lc rgb '#D55E00' notitle, \
     file('metadynamics') skip 1 using 1:2 with lines lw 2 lc rgb '#D55E00' title 'metadynamics', \
     file('adaptive-force') skip 1 using 1:($2-$3):($2+$3) with filledcurves lc rgb '#009E73' notitle, \
     file('adaptive-force') skip 1 using 1:2 with lines lw 2 lc rgb '#009E73' title 'adaptive force', \
     file('scan') skip 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#222222' title 'scan'
