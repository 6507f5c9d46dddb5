/* chuhe.exe: the Python beside it runs the package `chuhe`, whatever else is installed on the machine.
 *
 * The folder may be anywhere, and its path may hold any character. Nothing outside it is read: no registry, no
 * environment variables of Python, no user's packages.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <wchar.h>
#include <windows.h>

/* the full path of this program, and of its folder; both are never freed */
static int find_ourselves(wchar_t** program, wchar_t** folder) {
    DWORD size = MAX_PATH, length;
    for (;;) {
        *program = (wchar_t*)malloc(size * sizeof(wchar_t));
        if (!*program) return 0;
        length = GetModuleFileNameW(NULL, *program, size);
        if (length == 0) return 0;
        if (length < size) break;
        free(*program);
        size *= 2;
    }
    *folder = _wcsdup(*program);
    if (!*folder || !wcsrchr(*folder, L'\\')) return 0;
    *wcsrchr(*folder, L'\\') = 0;
    return 1;
}

static PyStatus add_path(PyConfig* config, const wchar_t* folder, const wchar_t* name) {
    wchar_t path[32768];
    _snwprintf(path, sizeof(path) / sizeof(path[0]), L"%ls\\%ls", folder, name);
    return PyWideStringList_Append(&config->module_search_paths, path);
}

int wmain(int argc, wchar_t** argv) {
    wchar_t *program, *folder;
    PyPreConfig before;
    PyConfig config;
    PyStatus status;

    if (!find_ourselves(&program, &folder)) {
        fputs("chuhe: Windows does not say where this program is\n", stderr);
        return 2;
    }
    PyPreConfig_InitIsolatedConfig(&before);
    before.utf8_mode = 1;
    status = Py_PreInitialize(&before);
    if (PyStatus_Exception(status)) Py_ExitStatusException(status);

    PyConfig_InitIsolatedConfig(&config);
    config.parse_argv = 0;
    config.site_import = 0;
    config.write_bytecode = 0;
    config.install_signal_handlers = 1;
    config.module_search_paths_set = 1;
    if (PyStatus_Exception(status = PyConfig_SetArgv(&config, argc, argv)) ||
        PyStatus_Exception(status = PyConfig_SetString(&config, &config.home, folder)) ||
        PyStatus_Exception(status = PyConfig_SetString(&config, &config.executable, program)) ||
        PyStatus_Exception(status = PyConfig_SetString(&config, &config.run_module, L"chuhe")) ||
        PyStatus_Exception(status = add_path(&config, folder, L"python.zip")) ||
        PyStatus_Exception(status = add_path(&config, folder, L"lib")) ||
        PyStatus_Exception(status = Py_InitializeFromConfig(&config)))
        Py_ExitStatusException(status);
    PyConfig_Clear(&config);
    PySys_SetObject("frozen", Py_True); /* so that Chuhe starts itself as `chuhe.exe`, not as `python -m chuhe` */
    return Py_RunMain();
}
