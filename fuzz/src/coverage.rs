//! What libFuzzer sees of a look at a divergence: nothing. A look asks a subject hundreds of smaller inputs, and libFuzzer would
//! take what they reach for what the file reaches: files would be kept for the looks that they happened to need.

/// Does something, and leaves the counters of coverage as they were.
#[cfg(all(counters, target_os = "linux"))]
pub(crate) fn kept<T>(look: impl FnOnce() -> T) -> T {
    unsafe extern "C" {
        static mut __start___sancov_cntrs: u8;
        static mut __stop___sancov_cntrs: u8;
    }

    let start = &raw mut __start___sancov_cntrs;
    let stop = &raw mut __stop___sancov_cntrs;
    let size = stop as usize - start as usize;
    // SAFETY: the linker puts the two around the section of the counters, which instrumented code, on this thread, writes to.
    let before = unsafe { std::slice::from_raw_parts(start, size) }.to_vec();
    let result = look();
    // SAFETY: as above; the copy is as long.
    unsafe { std::ptr::copy_nonoverlapping(before.as_ptr(), start, size) };
    result
}

/// Does something. Nothing is counted here, or it is not known where.
#[cfg(not(all(counters, target_os = "linux")))]
pub(crate) fn kept<T>(look: impl FnOnce() -> T) -> T {
    look()
}
