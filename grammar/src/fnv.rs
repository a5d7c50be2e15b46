//! FNV-1a with 64 bits: a hash that is the same in every process, build and language. It is stored, and compared by others.

/// The hash of the octets that were added so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(u64);

impl Default for Fnv {
    /// Of no octets.
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// The hash of these octets.
    pub fn of(octets: impl IntoIterator<Item = u8>) -> u64 {
        let mut fnv = Fnv::default();
        fnv.add(octets);
        fnv.hash()
    }

    /// Adds octets at the end.
    pub fn add(&mut self, octets: impl IntoIterator<Item = u8>) {
        for octet in octets {
            self.0 = (self.0 ^ u64::from(octet)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The hash.
    pub fn hash(self) -> u64 {
        self.0
    }
}
