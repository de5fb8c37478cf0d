/* Cardo's public API: one header. Units nm, ps, Da, kJ/mol, K, e, radian.
 *
 * The engine alone (multibody and dynamics) knows no molecule; structure, topology and forcefield
 * bring molecules to it; io writes results. */
#ifndef CARDO_H
#define CARDO_H

#ifdef __cplusplus
extern "C" {
#endif

#include "analysis/coordinate_bins.h"
#include "analysis/domain_ensemble.h"
#include "analysis/domain_files.h"
#include "analysis/domain_finder.h"
#include "analysis/domain_motions.h"
#include "analysis/domain_prediction.h"
#include "analysis/elastic_network.h"
#include "analysis/free_energy_verdict.h"
#include "analysis/mbar.h"
#include "analysis/mean_force_blocks.h"
#include "analysis/metadynamics_weights.h"
#include "analysis/station_fit.h"
#include "analysis/statistics.h"
#include "analysis/thermodynamic_integration.h"
#include "analysis/weighted_samples.h"
#include "analysis/wham.h"
#include "base/field.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/units.h"
#include "base/vec.h"
#include "coarse/coarse.h"
#include "coarse/kind.h"
#include "dynamics/callback_provider.h"
#include "dynamics/drive.h"
#include "dynamics/evaluate.h"
#include "dynamics/events.h"
#include "dynamics/integrator.h"
#include "dynamics/minimization.h"
#include "dynamics/simulation.h"
#include "forcefield/coverage.h"
#include "forcefield/forcefield.h"
#include "forcefield/openmm.h"
#include "forcefield/relax.h"
#include "forcefield/soft_core.h"
#include "forcefield/terms.h"
#include "io/checkpoint.h"
#include "io/free_energy_tables.h"
#include "io/npy.h"
#include "io/plot.h"
#include "io/plumed_table.h"
#include "io/recorder.h"
#include "io/table.h"
#include "io/trajectory.h"
#include "io/trajectory_read.h"
#include "multibody/fit.h"
#include "multibody/force.h"
#include "multibody/force_element.h"
#include "multibody/function_based.h"
#include "multibody/mobilizer.h"
#include "multibody/mobilizer_descriptor.h"
#include "multibody/mobilizer_parameters.h"
#include "multibody/motion.h"
#include "multibody/operators.h"
#include "multibody/path.h"
#include "multibody/state.h"
#include "multibody/system.h"
#include "sampling/hinges.h"
#include "sampling/mixed.h"
#include "sampling/variable.h"
#include "structure/pdb.h"
#include "structure/prepare.h"
#include "structure/selection.h"
#include "structure/structure.h"
#include "structure/superpose.h"
#include "topology/bonds.h"
#include "topology/clash.h"
#include "topology/conformer.h"
#include "topology/model.h"
#include "topology/turns.h"

#ifdef __cplusplus
}
#endif

#endif
