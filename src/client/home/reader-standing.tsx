import { Button } from '@mantine/core'

import { StatusTag } from '../ui/status-tag.tsx'
import styles from './home.module.css'
import { type LaneReader, nameWithin, type Presence } from './lane.ts'
import { inWords } from '../page/house-words.ts'

/** How sure it is that the card's reader is at the counter. */
export type Standing = Presence | 'proposed'

type ReaderStandingProps = { reader: LaneReader; standing: Standing; onConfirm: (reader: LaneReader) => void }

/** Why copies are not lent at once to the reader shown, and the way past it. */
export function ReaderStanding({ reader, standing, onConfirm }: ReaderStandingProps) {
  const name = nameWithin(reader)
  const confirm = (label: string) => (
    <Button data-scanning onClick={() => onConfirm(reader)}>
      {label}
    </Button>
  )
  return (
    <div className={styles['standing']} role="status">
      {standing === 'idle' ? <StatusTag tone="warn">{`Toujours ${name}\u202f?`}</StatusTag> : null}
      {standing === 'gone' ? (
        <>
          <StatusTag tone="warn">Carte à scanner de nouveau pour prêter</StatusTag>
          {confirm(`Continuer avec ${name}`)}
        </>
      ) : null}
      {standing === 'proposed' ? (
        <>
          <StatusTag tone="warn">À confirmer</StatusTag>
          <span>{inWords('Entrée, ou le scan d’un exemplaire, confirme ce lecteur.')}</span>
          {confirm(`Choisir ${name}`)}
        </>
      ) : null}
    </div>
  )
}
