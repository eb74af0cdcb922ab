// The functions of SUNDIALS, loaded when a method of it is first asked for. Its libraries may bring MPI along
// (Debian 13), which takes 0.15 s to load: as linked libraries they would make every start of a program so much slower.
//
//   if (sundials().missing.empty()) sundials().CVodeCreate(...)
#pragma once

#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <string>

// clang-format off
#define VISVIVA_SUNDIALS_FUNCTIONS(F)                                                             \
  F(SUNContext_Create) F(SUNContext_Free)                                                         \
  F(N_VNew_Serial) F(N_VDestroy) F(N_VGetArrayPointer)                                            \
  F(SUNDenseMatrix) F(SUNDenseMatrix_Data) F(SUNMatDestroy)                                       \
  F(SUNLinSol_Dense) F(SUNLinSolFree)                                                             \
  F(SUNNonlinSol_FixedPoint) F(SUNNonlinSolFree)                                                  \
  F(CVodeCreate) F(CVodeFree) F(CVodeInit) F(CVodeSetUserData) F(CVodeSStolerances)               \
  F(CVodeSetMaxStep) F(CVodeSetStopTime) F(CVodeSetLinearSolver) F(CVodeSetJacFn)                 \
  F(CVodeSetNonlinearSolver) F(CVode) F(CVodeGetDky)                                              \
  F(IDACreate) F(IDAFree) F(IDAInit) F(IDASetUserData) F(IDASStolerances) F(IDASetMaxStep)        \
  F(IDASetStopTime) F(IDASetLinearSolver) F(IDASetJacFn) F(IDASolve) F(IDAGetDky)                 \
  VISVIVA_SUNDIALS_MESSAGES(F)

#if SUNDIALS_VERSION_MAJOR < 7
#define VISVIVA_SUNDIALS_MESSAGES(F) F(CVodeSetErrHandlerFn) F(IDASetErrHandlerFn)
#else
#define VISVIVA_SUNDIALS_MESSAGES(F)                                                              \
  F(SUNContext_ClearErrHandlers) F(SUNContext_PushErrHandler) F(SUNContext_GetLogger)             \
  F(SUNLogger_SetErrorFilename) F(SUNLogger_SetWarningFilename)
#endif
// clang-format on

namespace visviva {

struct SundialsFunctions {
  std::string missing;  ///< library or function that was not found; empty where all of them were

#if SUNDIALS_VERSION_MAJOR < 7
  void* no_communicator = nullptr;
#else
  SUNComm no_communicator{};  ///< what stands for "no MPI" where a communicator is asked for
#endif

#define VISVIVA_DECLARE_FUNCTION(name) decltype(&::name) name = nullptr;
  VISVIVA_SUNDIALS_FUNCTIONS(VISVIVA_DECLARE_FUNCTION)
#undef VISVIVA_DECLARE_FUNCTION
};

/// The functions, loaded by the first call and kept. Where some are missing none may be called.
const SundialsFunctions& sundials();

}  // namespace visviva
