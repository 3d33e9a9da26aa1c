// Scans and presses take turns at every counter: each is worked on to its end before the next one begins, so that what
// comes meanwhile waits and is not lost.

/** `turns` wait; `doing` is the one at work and the answer that it needs to go on. */
export type Turns<Turn, Ask> = {
  turns: readonly Turn[]
  doing: { turn: Turn; ask: Ask } | null
}

/** An ask with its answer, whose kind is told by the ask's name. */
export type AnsweredAsk<Ask extends { ask: string }, Answers extends Record<Ask['ask'], unknown>> = {
  [Name in Ask['ask']]: { what: 'answer'; ask: Extract<Ask, { ask: Name }>; answer: Answers[Name] }
}[Ask['ask']]

type Desk<Turn, Ask> = {
  read: () => Turns<Turn, Ask>
  write: (next: Partial<Turns<Turn, Ask>>) => void
  begin: (turn: Turn) => void
  /** Whether it may begin; it is asked again after each happening. */
  isReady?: (turn: Turn) => boolean
  end?: (turn: Turn) => void
  send: (ask: Ask) => void
}

/** Works on the turns of one happening; a turn ends where it asks nothing more. */
export function turnTaking<Turn, Ask>({ read, write, begin, isReady, end, send }: Desk<Turn, Ask>) {
  let running: Turn | null = null

  return {
    enqueue(...turns: readonly Turn[]): void {
      write({ turns: [...read().turns, ...turns] })
    },

    /** Before what waits already. */
    putFirst(...turns: readonly Turn[]): void {
      write({ turns: [...turns, ...read().turns] })
    },

    /** Stops the turn at work until its question is answered. */
    ask(ask: Ask): void {
      if (running === null) return
      write({ doing: { turn: running, ask } })
      send(ask)
    },

    /** Takes the turn up again that asked this, and tells whether it still waits: somebody else may be there by now. */
    takeUp(ask: Ask): boolean {
      const { doing } = read()
      if (doing?.ask !== ask) return false
      running = doing.turn
      write({ doing: null })
      return true
    },

    /** Ends the turn where nothing is asked any more, and begins the next ones. */
    proceed(): void {
      while (read().doing === null) {
        if (running !== null) {
          const ended = running
          running = null
          end?.(ended)
        }
        const [turn, ...turns] = read().turns
        if (turn === undefined || isReady?.(turn) === false) return
        running = turn
        write({ turns })
        begin(turn)
      }
    },
  }
}
