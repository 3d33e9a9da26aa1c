export type Turns = {
  readonly running: number
  readonly waiting: number
  run<T>(work: () => Promise<T>): Promise<T>
}

export function takeTurns({ atOnce }: { atOnce: number }): Turns {
  const line: (() => void)[] = []
  let running = 0
  return {
    get running() {
      return running
    },
    get waiting() {
      return line.length
    },
    async run(work) {
      if (running >= atOnce) await new Promise<void>((resolve) => line.push(resolve))
      else running += 1
      try {
        return await work()
      } finally {
        // The place is handed over, so that nobody slips in between.
        const next = line.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
