# Read-only memory-mapped files. The file handle is closed at once: there are more tables than a process may have open.

cdef extern from *:
    """
    #if defined(_WIN32)
    #include <windows.h>
    static void* chuhe_map(const char* path, size_t* size) {
        void* data = NULL; LARGE_INTEGER length; HANDLE mapping;
        HANDLE file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
        if (file == INVALID_HANDLE_VALUE) return NULL;
        if (GetFileSizeEx(file, &length) && length.QuadPart > 0) {
            mapping = CreateFileMappingA(file, NULL, PAGE_READONLY, 0, 0, NULL);
            if (mapping) { data = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0); CloseHandle(mapping); }
            *size = (size_t)length.QuadPart;
        }
        CloseHandle(file);
        return data;
    }
    static void chuhe_unmap(void* data, size_t size) { (void)size; if (data) UnmapViewOfFile(data); }
    #else
    #include <fcntl.h>
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
    #endif
    """
    void* map_file "chuhe_map"(const char* path, size_t* size) noexcept nogil  # NULL: failed, or the file is empty
    void unmap_file "chuhe_unmap"(void* data, size_t size) noexcept nogil


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
        self.shape[0] = self.size
        self.strides[0] = 1

    def __dealloc__(self):
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
