import { readdirSync, readFileSync } from 'node:fs'

/** Each process's time so far in milliseconds of processor; empty without /proc. */
type CpuClock = ReadonlyMap<number, number>

// Linux counts in hundredths of a second.
const tickMs = 10

export function readCpu(): CpuClock {
  const used = listProcesses().flatMap((pid) => {
    const ms = usedBy(pid)
    return ms === null ? [] : [[pid, ms] as const]
  })
  return new Map(used)
}

/** What some processes used between two readings; one that was not there at the first began at nothing. */
export const usedBetween = (before: CpuClock, after: CpuClock, pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (after.get(pid) ?? 0) - (before.get(pid) ?? 0), 0)

function listProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function usedBy(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in brackets, may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tickMs
  } catch {
    // Ended meanwhile.
    return null
  }
}
