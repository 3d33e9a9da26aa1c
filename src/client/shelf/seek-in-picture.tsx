import { type ReactNode, useState } from 'react'

import { writtenForms } from '../../domain/bar-code.ts'
import { inWords } from '../page/house-words.ts'
import { currentPreferences } from '../page/preferences.ts'
import { signalScan } from '../scanner/scan-feedback.ts'
import type { ScanHandler } from '../scanner/scan-source.tsx'
import { SeenList, type ToneWords } from './seen-codes.tsx'
import { ShelfPicture } from './shelf-picture.tsx'
import type { SeenCode } from './shelf-walk.ts'

/** A copy to be found among the shelves. `words`: where it stands and for whom. `isDone`: nothing is left to do with it. */
export type Sought = { bar_code: string; name: string; words: string; isDone?: boolean }

type SeekInPictureProps = {
  title: string
  sought: readonly Sought[]
  /** What can be done with one that was found. */
  actsOf?: (one: Sought) => ReactNode
  /** What is said of one with which that was done. */
  doneWord?: string
  note?: string | undefined
  onScan: ScanHandler
  onClose: () => void
}

const toneWords: ToneWords = {
  sought: ['trouvé', 'trouvés'],
  good: ['fait', 'faits'],
  none: ['autre', 'autres'],
}

/** One that was out of sight for so long has come in again, in milliseconds: a frame may miss what the one before it read. */
const awayMs = 2000

function watchSight() {
  const last = new Map<string, number>()
  return {
    /** Whether one of these was not in sight a moment ago. */
    hasComeIn(codes: readonly string[]): boolean {
      const now = performance.now()
      const isNew = codes.some((code) => now - (last.get(code) ?? -Infinity) > awayMs)
      for (const code of codes) last.set(code, now)
      return isNew
    },
  }
}

/** Lights up, among all that a picture shows, the copies that are looked for; the phone shakes when one comes into sight. */
export default function SeekInPicture({
  title,
  sought,
  actsOf,
  doneWord = 'Trouvé',
  note,
  onScan,
  onClose,
}: SeekInPictureProps) {
  // As it stood when the sheet was opened: what is set aside meanwhile stays lit.
  const [first] = useState(sought)
  const byCode = new Map([...first, ...sought].map((one) => [one.bar_code, one]))
  const soughtOf = ({ text, symbology }: SeenCode): Sought | undefined =>
    writtenForms(text, symbology)
      .map((form) => byCode.get(form))
      .find((one) => one !== undefined)
  const [sight] = useState(watchSight)
  return (
    <ShelfPicture
      title={title}
      toneWords={toneWords}
      lookOf={(code) => {
        const one = soughtOf(code)
        return one === undefined
          ? { tone: 'none', name: code.text, word: inWords('Pas cherché'), sentence: '' }
          : {
              tone: one.isDone ? 'good' : 'sought',
              name: one.name,
              word: one.isDone ? doneWord : 'Trouvé',
              sentence: one.words,
            }
      }}
      onSeen={(codes) => {
        const found = codes.flatMap((code) => soughtOf(code) ?? []).filter(({ isDone }) => !isDone)
        if (sight.hasComeIn(found.map(({ bar_code }) => bar_code)))
          signalScan('success', currentPreferences())
      }}
      actsOf={(code) => {
        const one = soughtOf(code)
        return one === undefined || one.isDone ? null : actsOf?.(one)
      }}
      note={note}
      onScan={onScan}
      onClose={onClose}
    >
      {({ stretches, choose }) => {
        const codes = stretches.flat()
        const found = codes.flatMap((code) => {
          const one = soughtOf(code)
          return one === undefined
            ? []
            : [{ ...one, text: code.text, tone: one.isDone ? ('good' as const) : ('sought' as const) }]
        })
        const isFound = new Set(found.map(({ bar_code }) => bar_code))
        const left = first
          .filter(({ bar_code, isDone }) => !isFound.has(bar_code) && !isDone)
          .map((one) => ({ ...one, text: one.bar_code, tone: 'none' as const }))
        return (
          <>
            <SeenList title="Trouvés" items={found} onChoose={choose} />
            <SeenList title="Encore à trouver" items={left} />
          </>
        )
      }}
    </ShelfPicture>
  )
}
