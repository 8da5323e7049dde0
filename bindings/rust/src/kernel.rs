//! Kernels: which implementation evaluates. The best that the machine can run is chosen by itself.

use crate::{c_text, raw, Error};
use core::mem::MaybeUninit;

/// An implementation of the evaluation. All give the same answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kernel {
    /// The name that [`choose`] takes.
    pub name: &'static str,
    /// One line on what it is and needs.
    pub description: &'static str,
    /// Whether this machine can run it.
    pub available: bool,
}

/// The kernels that are compiled in, best first.
pub fn all() -> impl Iterator<Item = Kernel> {
    (0..).map_while(|index| unsafe {
        Some(Kernel {
            name: c_text(raw::seebatch_kernel_name(index))?,
            description: c_text(raw::seebatch_kernel_description(index))?,
            available: raw::seebatch_kernel_available(index),
        })
    })
}

/// The name of the kernel in use.
#[must_use]
pub fn active() -> &'static str {
    unsafe { c_text(raw::seebatch_kernel_active()) }.unwrap_or_default()
}

/// Chooses a kernel for all further calls of the process.
pub fn choose(name: &str) -> Result<(), Error> {
    Error::check_name(name, |text, error| unsafe { raw::seebatch_kernel_use(text, error) })
}

/// Chooses the kernel that the environment variable `SEEBATCH_KERNEL` names, or the best. Without this call, a name that
/// is wrong ends the program when something is first evaluated.
pub fn choose_by_environment() -> Result<(), Error> {
    Error::check(|error| unsafe { raw::seebatch_kernel_use(core::ptr::null(), error) })
}

/// What a self-test did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SelfTest {
    /// Cases tried.
    pub cases: u64,
    /// Answers compared, those of all kernels together.
    pub answers: u64,
    /// The seed with which another one goes on.
    pub seed: u64,
}

/// Compares every kernel that this machine can run with the scalar code, on random and constructed positions. A million
/// cases take a second or so.
pub fn selftest(seed: u64, cases: u64) -> Result<SelfTest, Error> {
    let mut report = MaybeUninit::<raw::seebatch_selftest_report>::zeroed();
    Error::check(|error| unsafe { raw::seebatch_selftest(seed, cases, report.as_mut_ptr(), error) })?;
    // Safe: zeros are a report.
    let report = unsafe { report.assume_init() };
    Ok(SelfTest { cases: report.cases, answers: report.answers, seed: report.seed })
}
