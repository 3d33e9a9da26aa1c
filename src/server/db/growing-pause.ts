const first = 100
const longest = 30_000
/** Who lived that long was well, and what ends it is something else. */
const well = 60_000

/** How long to wait before something that died is started again, by how long it lived: at once where it was well, else twice the time before. */
export function growingPause(): (lived: number) => number {
  let pause = 0
  return (lived) => {
    pause = lived >= well ? 0 : Math.min(longest, Math.max(first, pause * 2))
    return pause
  }
}
