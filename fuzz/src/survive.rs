//! What a subject may do without ending the run, or at least not without an artifact.

use std::mem::{MaybeUninit, zeroed};
use std::ptr::{null, null_mut};

/// How large the stack is on which a signal is handled: libFuzzer symbolizes and writes the artifact there.
const STACK: usize = 256 << 10;

/// A stack overflow has no stack left to be handled on. Rust's own `main` sees to that; here `main` is libFuzzer's, which
/// leaves it to AddressSanitizer.
pub(crate) fn stack_overflows() {
    // SAFETY: both structures are plain data for which zeros are valid; the stack is never freed.
    unsafe {
        let mut current = MaybeUninit::<libc::stack_t>::zeroed().assume_init();
        if libc::sigaltstack(null(), &mut current) != 0 || current.ss_flags & libc::SS_DISABLE == 0 {
            return;
        }
        let mut stack: libc::stack_t = zeroed();
        stack.ss_sp = Box::leak(vec![0_u8; STACK].into_boxed_slice()).as_mut_ptr().cast();
        stack.ss_size = STACK;
        assert_eq!(libc::sigaltstack(&stack, null_mut()), 0, "no alternate signal stack");
        for signal in [libc::SIGSEGV, libc::SIGBUS] {
            // libFuzzer keeps the flags of what it replaces.
            let mut action: libc::sigaction = zeroed();
            action.sa_sigaction = libc::SIG_DFL;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            assert_eq!(
                libc::sigaction(signal, &action, null_mut()),
                0,
                "no handler on the alternate stack"
            );
        }
    }
}
