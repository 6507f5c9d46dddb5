# Read-only memory-mapped files. The file handle is closed at once: there are more tables than a process may have open.
#
# When somebody truncates a mapped file, or the disk fails, reading the lost pages raises SIGBUS. The handler puts
# zeros in their place: the reader finds a wrong checksum and the program lives on. Windows lets nobody write to a
# mapped file.

cdef extern from *:
    """
    #if defined(_WIN32)
    #include <stdlib.h>
    #include <windows.h>
    static void* chuhe_map(const char* path, size_t* size) {  /* the path is UTF-8, as os.fsencode gives it */
        void* data = NULL; LARGE_INTEGER length; HANDLE mapping, file;
        int units = MultiByteToWideChar(CP_UTF8, 0, path, -1, NULL, 0);
        wchar_t* wide = (wchar_t*)malloc((units ? units : 1) * sizeof(wchar_t));
        if (!wide) return NULL;
        wide[0] = 0;
        MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, units);
        file = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                           OPEN_EXISTING, 0, NULL);
        free(wide);
        if (file == INVALID_HANDLE_VALUE) return NULL;
        if (GetFileSizeEx(file, &length) && length.QuadPart > 0) {
            mapping = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
            if (mapping) { data = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0); CloseHandle(mapping); }
            *size = (size_t)length.QuadPart;
        }
        CloseHandle(file);
        return data;
    }
    static void chuhe_unmap(void* data, size_t size) { (void)size; if (data) UnmapViewOfFile(data); }
    static int chuhe_guard(void* data, size_t size) { (void)data; (void)size; return 1; }
    static void chuhe_unguard(void* data) { (void)data; }
    #else
    #include <fcntl.h>
    #include <signal.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    #include <sys/stat.h>
    #include <unistd.h>
    static void* chuhe_map(const char* path, size_t* size) {
        void* data = MAP_FAILED; struct stat info;
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return NULL;
        if (fstat(file, &info) == 0 && info.st_size > 0) {
            *size = (size_t)info.st_size;
            data = mmap(NULL, *size, PROT_READ, MAP_SHARED, file, 0);
        }
        close(file);
        return data == MAP_FAILED ? NULL : data;
    }
    static void chuhe_unmap(void* data, size_t size) { if (data) munmap(data, size); }

    /* the mapped areas; entries are reused, never freed, so that the handler may walk the list at any time */
    typedef struct ChuheArea { char* start; size_t size; struct ChuheArea* next; } ChuheArea;
    static ChuheArea* chuhe_areas = NULL;
    static struct sigaction chuhe_previous;

    static void chuhe_on_bus_error(int number, siginfo_t* info, void* context) {
        char* at = (char*)info->si_addr;
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        ChuheArea* area;
        (void)number; (void)context;
        for (area = chuhe_areas; area; area = area->next)
            if (area->size && at >= area->start && at < area->start + area->size) {
                char* start = at - (size_t)at % page;
                if (mmap(start, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == start) return;
                break;
            }
        sigaction(SIGBUS, &chuhe_previous, NULL);  /* not ours: the previous handler sees it */
    }
    static int chuhe_guard(void* data, size_t size) {  /* with the GIL; 0: no memory */
        ChuheArea* area = chuhe_areas;
        while (area && area->size) area = area->next;
        if (!area) {
            if (!chuhe_areas) {
                struct sigaction action;
                memset(&action, 0, sizeof action);
                action.sa_sigaction = chuhe_on_bus_error;
                action.sa_flags = SA_SIGINFO | SA_ONSTACK;
                sigemptyset(&action.sa_mask);
                sigaction(SIGBUS, &action, &chuhe_previous);
            }
            area = (ChuheArea*)calloc(1, sizeof *area);
            if (!area) return 0;
            area->next = chuhe_areas;
            __atomic_store_n(&chuhe_areas, area, __ATOMIC_RELEASE);
        }
        area->start = (char*)data;
        __atomic_store_n(&area->size, size, __ATOMIC_RELEASE);
        return 1;
    }
    static void chuhe_unguard(void* data) {
        ChuheArea* area;
        for (area = chuhe_areas; area; area = area->next)
            if (area->size && area->start == (char*)data) __atomic_store_n(&area->size, 0, __ATOMIC_RELEASE);
    }
    #endif
    """
    void* map_file "chuhe_map"(const char* path, size_t* size) noexcept nogil  # NULL: failed, or the file is empty
    void unmap_file "chuhe_unmap"(void* data, size_t size) noexcept nogil
    bint guard "chuhe_guard"(void* data, size_t size) noexcept  # from now on a lost page reads as zeros
    void unguard "chuhe_unguard"(void* data) noexcept


cdef class MappedFile:
    """A file's bytes, read only, through the buffer protocol. ValueError if it is missing or empty."""

    cdef void* data
    cdef size_t size
    cdef Py_ssize_t[1] shape
    cdef Py_ssize_t[1] strides

    def __cinit__(self, bytes path not None):
        cdef const char* name = path
        with nogil:
            self.data = map_file(name, &self.size)
        if self.data == NULL:
            raise ValueError("cannot be mapped")
        if not guard(self.data, self.size):
            raise MemoryError("no memory to map a file")
        self.shape[0] = self.size
        self.strides[0] = 1

    def __dealloc__(self):
        unguard(self.data)
        unmap_file(self.data, self.size)

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        buffer.buf = self.data
        buffer.format = "B"
        buffer.internal = NULL
        buffer.itemsize = 1
        buffer.len = self.size
        buffer.ndim = 1
        buffer.obj = self
        buffer.readonly = 1
        buffer.shape = self.shape
        buffer.strides = self.strides
        buffer.suboffsets = NULL
