//! Counts the records of a file that can be unpacked.
use marlinformat::PackedBoard;

fn main() {
    let bytes = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let mut n = 0u64;
    for record in bytes.chunks_exact(32) {
        let packed: PackedBoard = unsafe { std::ptr::read_unaligned(record.as_ptr().cast()) };
        n += u64::from(std::hint::black_box(packed.unpack()).is_some());
    }
    println!("{n}");
}
