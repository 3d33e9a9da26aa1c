import { CloseButton, Text } from '@mantine/core'

import { StatusTag } from '../ui/status-tag.tsx'
import { inWords } from '../page/house-words.ts'
import styles from './home.module.css'
import { type CardToVerify, type LaneReader, nameOf } from './lane.ts'
import { ReaderStanding, type Standing } from './reader-standing.tsx'

type UnknownCardProps = {
  card: CardToVerify
  standing: Standing
  onConfirm: (chosen: LaneReader) => void
  onClose: () => void
}

/** Stands where a reader's card does, for one of whom only the card is known. */
export function UnknownCard({ card, standing, onConfirm, onClose }: UnknownCardProps) {
  return (
    <section className={`panel ${styles['reader']}`} data-standing={standing} aria-label={inWords('Lecteur')}>
      <div className={styles['head']}>
        <h2 className={styles['name']}>{nameOf(card)}</h2>
        <div className={styles['headActions']}>
          <CloseButton aria-label={inWords('Fermer la fiche du lecteur (Échap)')} onClick={onClose} />
        </div>
      </div>
      <ReaderStanding reader={card} standing={standing} onConfirm={onConfirm} />
      <div className={styles['tags']}>
        <StatusTag tone="warn">À vérifier</StatusTag>
      </div>
      <Text>
        {inWords(
          'Cet appareil ne connaît pas cette carte\u202f: ses prêts seront vérifiés dès que le réseau reviendra.',
        )}
      </Text>
    </section>
  )
}
