# Read-only memory-mapped files. The file handle is closed at once: there are more tables than a process may have open.
#
# When somebody truncates a mapped file, or the disk fails, reading the lost pages raises SIGBUS. The handler puts
# zeros in their place: the reader finds a wrong checksum and the program lives on. Windows lets nobody write to a
# mapped file.

cdef extern from "platform.h":
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
