! The four-bar linkage of four_bar.c in Fortran 2008.
program four_bar
  use cardo
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  type(cardo_error) :: error
  type(cardo_coincident_points), target :: closure
  type(c_ptr) :: system, state, simulation
  character(kind=c_char), allocatable, target :: timestep(:), temperature(:)
  integer(c_int) :: nu, ended
  integer(c_long_long) :: steps
  real(c_double) :: kinetic

  call must(cardo_system_create(system, error))
  call cardo_system_set_gravity(system, cardo_vec3(0, -9.81_c_double, 0))
  call add_rod("crank", 0, 0.0_c_double, 1.0_c_double)
  call add_rod("coupler", 1, 1.0_c_double, 2.5_c_double)
  call add_rod("rocker", 0, 3.0_c_double, 2.0_c_double)
  closure = cardo_coincident_points(2, 3, cardo_vec3(2.5_c_double, 0, 0), cardo_vec3(2, 0, 0))
  call must(cardo_system_add_constraint(system, cardo_constraint_find(cardo_c_text("ball")), cardo_c_text("closure"), &
      c_loc(closure), c_null_ptr, error))
  call must(cardo_system_finalize(system, error))

  call must(cardo_state_create(system, state, error))
  call cardo_state_set_q(state, [1.0_c_double, -0.5_c_double, 1.5_c_double])
  call must(cardo_assemble_q(system, state, assembly=c_null_ptr, error=error))
  call must(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, error))
  nu = cardo_system_nu(system)
  call print("assembled    ", cardo_numbers(cardo_state_q(state), nu))
  call print("accelerations", cardo_numbers(cardo_state_udot(state), nu))

  timestep = cardo_c_text("timestep=0.005 ps")
  temperature = cardo_c_text("temperature=0 K")
  call must(cardo_simulation_open(system, state, c_null_ptr, cardo_c_text("verlet"), 2, [c_loc(timestep), c_loc(temperature)], &
      simulation, error))
  call must(cardo_simulation_start(simulation, error))
  do steps = 20, 100, 20
    call must(cardo_simulation_run(simulation, steps, end=ended, error=error))
    call must(cardo_kinetic_energy(system, state, kinetic, error))
    call print("q            ", cardo_numbers(cardo_state_q(state), nu))
    call print("kinetic      ", [kinetic])
  end do
  call cardo_simulation_destroy(simulation)
  call cardo_state_destroy(state)
  call cardo_system_destroy(system)

contains

  subroutine must(status)
    integer(c_int), intent(in) :: status
    if (status == CARDO_OK) return
    write (error_unit, '(a)') cardo_message(error)
    stop 1
  end subroutine must

  subroutine print(what, x)
    character(len=*), intent(in) :: what
    real(c_double), intent(in) :: x(:)
    write (*, '(a,*(es24.16))') what, x
  end subroutine print

  subroutine add_rod(name, parent, at, length)
    character(len=*), intent(in) :: name
    integer, intent(in) :: parent
    real(c_double), intent(in) :: at, length
    character(kind=c_char), allocatable, target :: c_name(:)
    type(cardo_body_definition) :: body
    integer(c_int) :: number
    real(c_double) :: along
    along = length * length * length / 3
    allocate (c_name, source=cardo_c_text(name))
    body%name = c_loc(c_name)
    body%parent = parent
    body%mobilizer = cardo_mobilizer_find(cardo_c_text("pin"))
    body%X_PF = cardo_transform_identity()
    body%X_BM = cardo_transform_identity()
    body%X_PF%p%x = at
    body%mass%mass = length
    body%mass%com%x = length / 2
    body%mass%inertia = [0.001_c_double, along, along, 0.0_c_double, 0.0_c_double, 0.0_c_double]
    call must(cardo_system_add_body(system, body, number, error))
  end subroutine add_rod
end program four_bar
