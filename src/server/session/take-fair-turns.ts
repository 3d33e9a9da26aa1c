export type FairTurns = {
  readonly running: number
  readonly waiting: number
  /** Runs the work in its turn; answers null where `signal` aborts before that. */
  run<T>(who: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | null>
}

type Waiting = { start(): void }

/** Limits the works that run at once, in all and by asker, and serves askers in turn. */
export function takeFairTurns({ atOnce, each }: { atOnce: number; each: number }): FairTurns {
  const lines = new Map<string, Waiting[]>()
  const runningOf = new Map<string, number>()
  let running = 0

  const count = (who: string, one: 1 | -1) => {
    running += one
    const now = (runningOf.get(who) ?? 0) + one
    if (now > 0) runningOf.set(who, now)
    else runningOf.delete(who)
  }
  const mayStart = (who: string) => running < atOnce && (runningOf.get(who) ?? 0) < each

  function startNext(): void {
    for (const [who, line] of lines) {
      if (!mayStart(who)) continue
      const next = line.shift()
      lines.delete(who)
      if (line.length > 0) lines.set(who, line)
      if (!next) continue
      // It counts before it starts, so that nobody slips in.
      count(who, 1)
      next.start()
      return
    }
  }

  function wait(who: string, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const line = lines.get(who) ?? []
      lines.set(who, line)
      const leave = () => {
        const place = line.indexOf(waiting)
        if (place < 0) return
        line.splice(place, 1)
        if (line.length === 0) lines.delete(who)
        resolve(false)
      }
      const waiting = {
        start: () => {
          signal.removeEventListener('abort', leave)
          resolve(true)
        },
      }
      line.push(waiting)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return {
    get running() {
      return running
    },
    get waiting() {
      return Array.from(lines.values(), (line) => line.length).reduce((sum, length) => sum + length, 0)
    },
    async run(who, signal, work) {
      if (signal.aborted) return null
      if (!lines.has(who) && mayStart(who)) count(who, 1)
      else if (!(await wait(who, signal))) return null
      try {
        return await work()
      } finally {
        count(who, -1)
        startNext()
      }
    },
  }
}
