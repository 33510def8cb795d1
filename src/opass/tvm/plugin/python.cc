#include "opass/tvm/plugin/python.h"

#include <Python.h>

namespace opass::tvm {
namespace {

constexpr const char* kScript =
#include <script.inc>  // written by CMake from script.py
    ;

// The text of the exception that Python holds.
std::string TakeException() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  std::string text = "an exception without a text";
  PyObject* shown = value == nullptr ? nullptr : PyObject_Str(value);
  if (const char* bytes = shown == nullptr ? nullptr : PyUnicode_AsUTF8(shown)) text = bytes;
  Py_XDECREF(shown);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  return text;
}

}  // namespace

std::string StartPython() {
  PyConfig config;
  PyConfig_InitIsolatedConfig(&config);
  config.install_signal_handlers = 0;  // they are the tool's
  // pyvenv.cfg beside it names the standard library and the packages.
  PyStatus status = PyConfig_SetBytesString(&config, &config.executable, OPASS_TVM_PYTHON);
  if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status)) {
    return status.err_msg == nullptr ? "Python does not start" : status.err_msg;
  }
  PyObject* code = Py_CompileString(kScript, "opass/tvm/plugin/script.py", Py_file_input);
  PyObject* module = code == nullptr ? nullptr : PyImport_ExecCodeModule("opass_tvm", code);
  std::string failure;
  if (module == nullptr) failure = TakeException();
  Py_XDECREF(code);
  Py_XDECREF(module);
  // TVM takes the lock itself wherever it calls Python.
  PyEval_SaveThread();
  return failure;
}

}  // namespace opass::tvm
