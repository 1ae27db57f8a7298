//! notifywatch DIRECTORY: prints READY, then the path of every event of notify's recommended watcher, one a line.
use notify::{Event, RecursiveMode, Watcher};
use std::io::{BufWriter, Write};

fn main() {
    let directory = std::env::args().nth(1).expect("usage: notifywatch DIRECTORY");
    let (sender, receiver) = std::sync::mpsc::channel::<notify::Result<Event>>();
    let mut watcher = notify::recommended_watcher(sender).unwrap();
    watcher.watch(directory.as_ref(), RecursiveMode::Recursive).unwrap();
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    writeln!(out, "READY").unwrap();
    out.flush().unwrap();
    while let Ok(first) = receiver.recv() {
        // What is there already is written together.
        for event in std::iter::once(first).chain(receiver.try_iter()) {
            match event {
                Ok(event) => {
                    for path in &event.paths {
                        writeln!(out, "{}", path.display()).unwrap();
                    }
                }
                Err(error) => writeln!(out, "ERROR {error}").unwrap(),
            }
        }
        out.flush().unwrap();
    }
}
