import { VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconMapPinCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import type { Tone } from '../ui/status-tag.tsx'
import { CopyFace } from './copy-face.tsx'
import styles from './count.module.css'
import type { CountView, Last } from './count.ts'
import { verdictWords } from './inventory-words.ts'
import { ScanMark } from './scan-mark.tsx'
import { nameOfScan, sentenceOfScan } from './scan-words.ts'

type Said = { tone: Tone; word: string; of: string; where: string; mark: ReactNode; face?: ReactNode }

const size = '2.75rem'

const severalShelves =
  'Deux étiquettes de rayon dans l’image\u202f: ce qu’elle montre est compté sans rayon. N’en montrez qu’une à la fois.'

function saidOf(last: Last, view: CountView): Said {
  if (last.kind === 'failed') {
    const mark = <IconAlertTriangle size={size} aria-hidden />
    return { tone: 'bad', word: 'Non compté', of: '', where: last.sentence, mark }
  }
  if (last.kind === 'refused') {
    const mark = <IconAlertTriangle size={size} aria-hidden />
    return { tone: 'bad', word: 'Non compté', of: last.code, where: last.sentence, mark }
  }
  if (last.kind === 'shelf') {
    const { shelf, isCounted } = last
    return {
      tone: isCounted ? 'good' : 'warn',
      word: 'Rayon',
      of: shelf.label,
      where: isCounted ? 'Ce qui suit y est rangé.' : 'Cet inventaire ne compte pas ce rayon.',
      mark: <IconMapPinCheck size={size} aria-hidden />,
    }
  }
  if (last.kind === 'shelves') {
    const mark = <IconAlertTriangle size={size} aria-hidden />
    return { tone: 'warn', word: 'Aucun rayon', of: '', where: severalShelves, mark }
  }
  const { scan } = last
  const { word, tone } = verdictWords[scan.verdict]
  const shown = {
    of: nameOfScan(scan),
    mark: <ScanMark verdict={scan.verdict} size={size} />,
    face: <CopyFace copy={view.copies.copy(scan.copy)} isLarge />,
  }
  return scan.taken_back
    ? { tone: 'quiet', word: 'Annulé', where: 'Ce scan ne compte plus.', ...shown }
    : { tone, word, where: sentenceOfScan(scan, view), ...shown }
}

/** What the last scan says, read from arm's length and aloud. */
export function LastScan({ view }: { view: CountView }) {
  const { last } = view
  const said = last && saidOf(last, view)
  const whole = said ? [said.word, said.of, said.where].filter((part) => part !== '').join('. ') : ''
  return (
    <>
      {/* Two equal sentences are two events: the key makes the second one read as well. */}
      <VisuallyHidden aria-live={said?.tone === 'bad' ? 'assertive' : 'polite'}>
        <span key={last?.turn}>{whole}</span>
      </VisuallyHidden>
      {said ? (
        <div className={`toned ${styles['last']}`} data-tone={said.tone} aria-hidden data-last>
          {said.mark}
          <div>
            <div className={styles['word']}>{said.word}</div>
            {said.of === '' ? null : <div className={styles['of']}>{said.of}</div>}
            {said.where === '' ? null : <div className={styles['where']}>{said.where}</div>}
          </div>
          {said.face}
        </div>
      ) : (
        <p className={styles['idle']}>Scannez l’étiquette d’un rayon, puis ce qui s’y trouve.</p>
      )}
    </>
  )
}

/** The same for the camera's picture. */
export function noteOf(view: CountView) {
  if (!view.last) return undefined
  const { tone, word, of, where } = saidOf(view.last, view)
  const signal = tone === 'good' ? 'success' : tone === 'bad' ? 'refusal' : 'warning'
  return { signal, text: [word, of, where].filter((part) => part !== '').join(' · ') } as const
}
