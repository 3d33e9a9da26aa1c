import { useCallback, useRef, useState } from 'react'

type Asked<Q, A> = { question: Q; turn: number; resolve: (answer: A) => void }

/**
 * The questions that a dialog asks, one after the other: none is answered by another one. `asked` is the one in sight, and stays while its
 * dialog fades; `settle` answers it, and only it.
 */
export function useQuestions<Q, A>() {
  const waiting = useRef<Asked<Q, A>[]>([])
  const turns = useRef(0)
  const [asked, setAsked] = useState<Pick<Asked<Q, A>, 'question' | 'turn'> | null>(null)
  const [isOpen, setOpen] = useState(false)
  const showNext = useCallback(() => {
    const [next] = waiting.current
    if (next) setAsked(next)
    setOpen(next !== undefined)
  }, [])
  const ask = useCallback(
    (question: Q): Promise<A> =>
      new Promise((resolve) => {
        turns.current += 1
        waiting.current.push({ question, turn: turns.current, resolve })
        if (waiting.current.length === 1) showNext()
      }),
    [showNext],
  )
  const settle = useCallback(
    (turn: number, answer: A) => {
      const [first] = waiting.current
      if (first?.turn !== turn) return
      waiting.current.shift()
      showNext()
      first.resolve(answer)
    },
    [showNext],
  )
  /** Whether such a question is in sight, or waits for its turn. */
  const isAsked = useCallback(
    (isSame: (question: Q) => boolean) => waiting.current.some(({ question }) => isSame(question)),
    [],
  )
  return { asked, isOpen, ask, settle, isAsked }
}
