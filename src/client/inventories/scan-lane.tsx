import { Button, TextInput } from '@mantine/core'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'

import type { StoredScan } from '../../offline/inventory-rows.ts'
import { useSession } from '../api/session.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { counted } from '../ui/words.ts'
import { CopyFace } from './copy-face.tsx'
import styles from './count.module.css'
import type { Count, CountView } from './count.ts'
import { verdictWords } from './inventory-words.ts'
import { ScanMark } from './scan-mark.tsx'
import { nameOfScan, sentenceOfScan, timeOf } from './scan-words.ts'
import { inWords } from '../page/house-words.ts'

const OfferCopy = lazy(() => import('../catalogue/offer-copy.tsx'))

const shortLane = 30
const longerBy = 200

/** What this device has scanned, the newest on top. */
export function ScanLane({ count, view }: { count: Count; view: CountView }) {
  const [most, setMost] = useState(shortLane)
  const { scans } = view
  const person = useSession()?.user?.id
  if (scans.length === 0) return null
  return (
    <>
      <ol className={styles['lane']} aria-label="Scans de cet appareil">
        {scans.slice(0, most).map((scan) => (
          <Line key={scan.key} scan={scan} count={count} view={view} isOwn={scan.user_id === person} />
        ))}
      </ol>
      {scans.length > most ? (
        <Button variant="subtle" fullWidth onClick={() => setMost(most + longerBy)}>
          {counted(scans.length - most, 'scan précédent', 'scans précédents')}
        </Button>
      ) : null}
    </>
  )
}

type LineProps = { scan: StoredScan; count: Count; view: CountView; isOwn: boolean }

function Line({ scan, count, view, isOwn }: LineProps) {
  const { verdict, taken_back, state, is_late, problem } = scan
  const { word, tone } = verdictWords[verdict]
  const name = nameOfScan(scan)
  const details = [
    timeOf(scan.scanned_at),
    scan.name === null ? '' : (scan.bar_code ?? 'coché'),
    sentenceOfScan(scan, view),
  ].filter((part) => part !== '')
  return (
    <li
      className={styles['line']}
      data-tone={taken_back ? 'quiet' : tone}
      data-back={taken_back || undefined}
    >
      <span className={styles['mark']}>
        <ScanMark verdict={verdict} size="1.4rem" />
      </span>
      <div className={`${styles['what']} ${styles['faced']}`}>
        <CopyFace copy={view.copies.copy(scan.copy)} />
        <div>
          <span className={styles['name']}>{name}</span>
          <span className={styles['sentence']}>
            <strong>{taken_back ? 'Annulé' : word}</strong>
            {state === 'queued' ? ' · à envoyer' : ''}
            {is_late ? ' · arrivé après la fin' : ''}
            {` · ${details.join(' · ')}`}
          </span>
        </div>
      </div>
      <div className={styles['end']}>
        {taken_back || !isOwn ? null : (
          <Button
            variant="subtle"
            px="sm"
            aria-label={`Annuler\u202f: ${name}`}
            onClick={() => void count.change(scan.key, { taken_back: true })}
          >
            Annuler
          </Button>
        )}
      </div>
      <div className={styles['more']}>
        {state === 'refused' ? <StatusTag tone="bad">{problem?.message ?? 'Refusé'}</StatusTag> : null}
        {verdict === 'unknown' && !taken_back && isOwn ? <Unknown scan={scan} count={count} /> : null}
      </div>
    </li>
  )
}

/** What is written on a copy that nobody knows, and how it becomes one. */
function Unknown({ scan, count }: Pick<LineProps, 'scan' | 'count'>) {
  const [note, setNote] = useState(scan.note)
  const [isAdded, setAdded] = useState(false)
  const keep = (text: string) => {
    if (text !== scan.note) void count.change(scan.key, { note: text })
  }
  // Also before the field is left, for a telephone may be put away half-way.
  const still = useDebounced(note.trim())
  const keepStill = useEffectEvent(keep)
  useEffect(() => keepStill(still), [still])
  return (
    <>
      <TextInput
        label="Ce qui est écrit dessus"
        maxLength={200}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        onBlur={() => keep(note.trim())}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
      />
      {isAdded ? (
        <StatusTag tone="good">{inWords('Exemplaire ajouté')}</StatusTag>
      ) : scan.bar_code === null ? null : (
        <Suspense fallback={null}>
          <OfferCopy code={scan.bar_code} onAdded={() => setAdded(true)} />
        </Suspense>
      )}
    </>
  )
}
