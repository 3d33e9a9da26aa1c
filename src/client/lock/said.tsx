import { useState } from 'react'

import styles from './lock.module.css'

type Sentence = { text: string; turn: number }

/** `turn` tells two equal sentences apart. */
export function useSaid(): { said: Sentence; say: (text: string) => void } {
  const [said, setSaid] = useState<Sentence>({ text: '', turn: 0 })
  const [say] = useState(() => (text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 })))
  return { said, say }
}

export function Said({ said }: { said: Sentence }) {
  return (
    <div role="alert" className={styles['said']}>
      <span key={said.turn}>{said.text}</span>
    </div>
  )
}
