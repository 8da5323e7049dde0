//! Splats every game of a file into a counter.
use viriformat::dataformat::{Filter, Game};

fn main() {
    let bytes = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let (mut reader, mut n, mut moves) = (&bytes[..], 0u64, Vec::new());
    while !reader.is_empty() {
        let game = Game::deserialise_from(&mut reader, moves).unwrap();
        game.splat_to_marlinformat(
            |board| {
                n += u64::from(std::hint::black_box(&board).as_bytes().len() == 32);
                Ok(())
            },
            &Filter::UNRESTRICTED,
        )
        .unwrap();
        moves = game.moves;
    }
    println!("{n}");
}
