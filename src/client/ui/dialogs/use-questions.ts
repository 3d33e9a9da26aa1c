import { useCallback, useRef, useState } from 'react'

type Asked<Q, A> = { question: Q; turn: number; resolve: (answer: A) => void }

/** Questions one after the other; `asked` stays while its dialog fades, `settle` answers only that one. */
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
  const isAsked = useCallback(
    (isSame: (question: Q) => boolean) => waiting.current.some(({ question }) => isSame(question)),
    [],
  )
  return { asked, isOpen, ask, settle, isAsked }
}
