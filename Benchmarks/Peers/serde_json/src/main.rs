//! serde_json as a peer: see Peers/README.md.
mod models;

use models::*;
use serde::{de::DeserializeOwned, Serialize};
use std::hint::black_box;
use std::io::{self, BufRead, Write};

#[repr(C)]
struct TimeSpec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut TimeSpec) -> i32;
}

/// Seconds for which this process has had a processor.
fn processor_seconds() -> f64 {
    let mut time = TimeSpec { seconds: 0, nanoseconds: 0 };
    // 2 is CLOCK_PROCESS_CPUTIME_ID of Linux.
    unsafe { clock_gettime(2, &mut time) };
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}

fn serve<Model: DeserializeOwned + Serialize>(text: &[u8]) -> io::Result<()> {
    let value: Model = serde_json::from_slice(text)?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (order, count) = line.split_once(' ').unwrap_or((line.as_str(), "1"));
        let count: u32 = count.parse().unwrap_or(1);
        let start = processor_seconds();
        match order {
            "decode" => {
                for _ in 0..count {
                    black_box(serde_json::from_slice::<Model>(black_box(text))?);
                }
            }
            "encode" => {
                for _ in 0..count {
                    black_box(serde_json::to_vec(black_box(&value))?);
                }
            }
            _ => {
                println!("{}", serde_json::to_string(&value)?);
                io::stdout().flush()?;
                continue;
            }
        }
        println!("{:e}", (processor_seconds() - start) / f64::from(count));
        io::stdout().flush()?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let text = std::fs::read(&arguments[2])?;
    match arguments[1].as_str() {
        "twitter" => serve::<twitter::Root>(&text),
        "citm_catalog" => serve::<citm_catalog::Root>(&text),
        "canada" => serve::<canada::Root>(&text),
        "github_events" => serve::<github_events::Root>(&text),
        _ => serve::<small_object::SmallObject>(&text),
    }
}
