/* python.exe, for the tests only: they run on the interpreter that chuhe.exe has. */
#include <Python.h>

int wmain(int argc, wchar_t** argv) { return Py_Main(argc, argv); }
