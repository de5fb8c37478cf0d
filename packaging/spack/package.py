# Spack package. Untried: there is no Spack where it was written; see ../README.md.
#   spack repo create cardo-repo && mkdir -p cardo-repo/packages/cardo && cp packaging/spack/package.py cardo-repo/packages/cardo/
#   spack repo add cardo-repo && spack install cardo
from spack.package import *


class Cardo(CMakePackage):
    """Domain-hinge dynamics of proteins in internal coordinates: a library, a program, and layers for Python, C++ and Fortran."""

    # Of a source tree: spack develop --path . cardo@=0.3.0
    version("0.3.0")

    license("MIT")

    variant("mpi", default=True, description="Share work out over the ranks of an MPI launcher")
    variant("python", default=True, description="The package for Python")
    variant("shared", default=True, description="A shared library")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("curl")
    depends_on("jansson")
    depends_on("lapack")
    depends_on("netlib-lapack+lapacke", when="^[virtuals=lapack] netlib-lapack")
    depends_on("liblbfgs")
    depends_on("libxml2")
    depends_on("mpi", when="+mpi")
    depends_on("netcdf-c")
    # Spack builds OpenMM with its C wrapper.
    depends_on("openmm@7.7:")
    depends_on("random123")
    depends_on("sundials@6+cvode+arkode")
    depends_on("xraylib")
    depends_on("zlib-api")
    extends("python", when="+python")
    depends_on("py-cffi", type=("build", "run"), when="+python")
    depends_on("py-numpy", type=("build", "run"), when="+python")
    depends_on("py-pycparser", type="build")
    depends_on("py-setuptools", type="build", when="+python")

    conflicts("+python~shared", msg="Python loads the shared library")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("CARDO_TESTS", self.run_tests),
            self.define("CARDO_BENCHMARKS", False),
            self.define("CARDO_SOURCE_DATA", ""),
            self.define_from_variant("CARDO_MPI", "mpi"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("OPENMM_INCLUDE_DIR", self.spec["openmm"].prefix.include),
        ]
        if self.spec.satisfies("+python"):
            args.append(self.define("CARDO_PYTHON", self.spec["python"].command.path))
            args.append(self.define("CARDO_PYTHON_INSTALL_DIR", python_platlib))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_program(self):
        Executable(self.prefix.bin.cardo)("version")
