"""The compiled part of `chuhe train`: batch slices, Adam steps and network outputs, without the GIL."""

from libc.stdint cimport int64_t, uint8_t

import numpy as np


cdef extern from "net_features.h":
    enum:
        ATTACKER_COUNTS
        MAX_BUCKETS
        NEURON_STEP
        MAX_NEURONS
    ctypedef struct Record:
        pass

cdef extern from "trainer_kernels.h":
    enum:
        TRAIN_GROUP
    ctypedef struct TrainShape:
        int hidden
        int buckets
        int input_buckets
        uint8_t* bucket_of
        float slope
    ctypedef struct TrainLoss:
        double target_loss
        double result_loss
    void train_shape_init(TrainShape* s) nogil
    int64_t train_parameters(const TrainShape* s) nogil
    void train_slice(const TrainShape* s, const float* p, float* g, const Record* records, const int64_t* order,
                     const uint8_t* flips, int64_t n, float blend, TrainLoss* loss) nogil
    void train_adam(float* p, float* m, float* v, float** g, int threads, int64_t first, int64_t end, float scale,
                    float rate, float correct1, float correct2, float bound, float keep) nogil
    void train_outputs(const TrainShape* s, const float* p, const Record* records, int64_t n, float* out) nogil


MAX_THREADS = 64
RECORD_SIZE = sizeof(Record)
GROUP = TRAIN_GROUP  # neighbours are cheap: that many positions are taken together


cdef class Trainer:
    """One network's parameters, gradients and Adam moments, as numpy arrays."""

    cdef TrainShape shape
    cdef readonly object parameters
    cdef readonly object moment1
    cdef readonly object moment2
    cdef readonly int threads
    cdef list gradients
    cdef float *gradient[64]

    def __init__(self, int hidden, int buckets, float slope, int threads=1, bucket_of=(0,) * ATTACKER_COUNTS):
        if not NEURON_STEP <= hidden <= MAX_NEURONS or hidden % NEURON_STEP:
            raise ValueError(f"a network has {NEURON_STEP} to {MAX_NEURONS} neurons in steps of {NEURON_STEP}")
        if not 1 <= buckets <= MAX_BUCKETS:
            raise ValueError(f"there can be 1 to {MAX_BUCKETS} output buckets, not {buckets}")
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"threads must be 1 to {MAX_THREADS}, not {threads}")
        if len(bucket_of) != ATTACKER_COUNTS or not 0 <= min(bucket_of) <= max(bucket_of) < ATTACKER_COUNTS:
            raise ValueError(f"bucket_of must be {ATTACKER_COUNTS} numbers below {ATTACKER_COUNTS}, not {bucket_of}")
        train_shape_init(&self.shape)
        self.shape.input_buckets = max(bucket_of) + 1
        for i in range(ATTACKER_COUNTS):
            self.shape.bucket_of[i] = bucket_of[i]
        self.shape.hidden = hidden
        self.shape.buckets = buckets
        self.shape.slope = slope
        self.threads = threads
        cdef int64_t size = train_parameters(&self.shape)
        cdef float[::1] view
        self.parameters = np.zeros(size, np.float32)
        self.moment1 = np.zeros(size, np.float32)
        self.moment2 = np.zeros(size, np.float32)
        self.gradients = [np.zeros(size, np.float32) for _ in range(threads)]
        for i in range(threads):
            view = self.gradients[i]
            self.gradient[i] = &view[0]

    def gradient_of(self, int thread):
        """The gradient a thread has accumulated since the last step."""
        return self.gradients[thread]

    def slice(self, int thread, const uint8_t[:, ::1] records, const int64_t[::1] order, const uint8_t[::1] flips,
              float blend, bint learn=True):
        """Run the positions records[order], mirrored where `flips` is set; returns the summed (target, result) losses.

        `blend` is the share of the game's result in the target. With `learn`, the gradient of the target loss is added
        to the thread's gradient.
        """
        cdef TrainLoss loss
        cdef float[::1] parameters = self.parameters
        cdef int64_t n = order.shape[0]
        cdef float* gradient = self.gradient[thread] if learn else NULL
        if records.shape[1] != <Py_ssize_t>sizeof(Record):
            raise ValueError(f"a record has {sizeof(Record)} bytes, not {records.shape[1]}")
        if flips.shape[0] < n:
            raise ValueError("flips must have an entry for every position")
        loss.target_loss = loss.result_loss = 0
        if n:
            with nogil:
                train_slice(&self.shape, &parameters[0], gradient, <const Record*>&records[0, 0], &order[0],
                            &flips[0], n, blend, &loss)
        return loss.target_loss, loss.result_loss

    def adam(self, int64_t first, int64_t end, float scale, float rate, int64_t step, float bound, float decay=0):
        """One Adam step for a range of parameters. Sums and scales the gradients of all threads, then clears them.

        Before the step, each parameter loses `rate * decay` of itself (AdamW).
        """
        cdef float[::1] p = self.parameters
        cdef float[::1] m = self.moment1
        cdef float[::1] v = self.moment2
        if not 0 <= first <= end <= p.shape[0]:
            raise ValueError("no such range of parameters")
        cdef float correct1 = 1.0 / (1.0 - 0.9 ** step)
        cdef float correct2 = 1.0 / (1.0 - 0.999 ** step)
        with nogil:
            train_adam(&p[0], &m[0], &v[0], self.gradient, self.threads, first, end, scale, rate, correct1, correct2,
                       bound, 1 - rate * decay)

    def outputs(self, const uint8_t[:, ::1] records):
        """The network's output for each record, from the mover's side; its sigmoid is the expected result."""
        cdef float[::1] p = self.parameters
        cdef int64_t n = records.shape[0]
        if records.shape[1] != <Py_ssize_t>sizeof(Record):
            raise ValueError(f"a record has {sizeof(Record)} bytes, not {records.shape[1]}")
        result = np.zeros(n, np.float32)
        cdef float[::1] out = result
        if n:
            with nogil:
                train_outputs(&self.shape, &p[0], <const Record*>&records[0, 0], n, &out[0])
        return result
