"""Cardo: slow motions of proteins whose domains turn about hinges.

    import cardo
    model = cardo.domains("2lao.pdb", "1lst.pdb", out="lao.xml")
    model.hinges[0].angle_deg
    run = model.simulate(steps=1000, out="run")
    free = model.sample(method="umbrella", to=0.3)
    free.profile["F_kJ_per_mol"]

Every study of the library is a function here (of structure files) or a method of Model; options, units and errors come from the library's
own tables. The engine without a molecule is System, State and Simulation. Units are nm, ps, Da, kJ/mol, K, radian."""
from cardo._library import (ArgumentError, CardoError, FileError, InputError, Interrupted, NumericalError, OutOfMemory, ProviderError,
                            SingularError, StageError, Unsupported, UsageError, ffi, lib)
from cardo._version import __version__
from cardo.engine import Forces, Simulation, State, System, constraints, mobilizers
from cardo.model import FILE_STUDIES, Model, domains
from cardo.results import Array, Group, Result, Row, Run, Table
from cardo.studies import options_of, study_names

open = Model
globals().update({name: function for name, function in FILE_STUDIES.items() if name != "domains"})
__all__ = ["ArgumentError", "Array", "CardoError", "FileError", "Forces", "Group", "InputError", "Interrupted", "Model", "NumericalError", "OutOfMemory",
           "ProviderError", "Result", "Row", "Run", "Simulation", "SingularError", "StageError", "State", "System", "Table", "Unsupported", "UsageError", "constraints",
           "domains", "ffi", "lib", "mobilizers", "open", "options_of", "study_names", *sorted(set(FILE_STUDIES) - {"domains"})]
