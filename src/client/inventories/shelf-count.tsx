import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { membersOf } from '../../contract/list.ts'
import type { ScanVerdict } from '../../domain/inventory.ts'
import { findMisplaced, isWithin, runOf } from '../../domain/shelf-order.ts'
import type { StoredCopy, StoredScan } from '../../offline/inventory-rows.ts'
import { useConnection } from '../api/connection.ts'
import { useRight } from '../api/session.ts'
import { pickingQuery } from '../reservations/shelf-data.ts'
import type { ScanHandler } from '../scanner/scan-source.tsx'
import type { Look, LookTone } from '../shelf/look.ts'
import { SeenList, type ToneWords } from '../shelf/seen-codes.tsx'
import { ShelfPicture } from '../shelf/shelf-picture.tsx'
import type { SeenCode } from '../shelf/shelf-walk.ts'
import type { Count, CountView } from './count.ts'
import { verdictWords } from './inventory-words.ts'
import { noteOf } from './last-scan.tsx'
import { sentenceOfCopy, sentenceOfScan } from './scan-words.ts'

type ShelfCountProps = {
  count: Count
  view: CountView
  /** Why nothing may be counted now. */
  stopped: string | null
  onSingle: () => void
  onScan: ScanHandler
  onClose: () => void
}

/** Counts a shelf by its picture; all of it goes the way of single scans. */
export default function ShelfCount({ count, view, stopped, onSingle, onScan, onClose }: ShelfCountProps) {
  const seer = useSeer(view)
  const [opened] = useState(view.last?.turn ?? 0)
  /** Codes that were given to be counted once: one that a person takes back is not counted again by the next frame. */
  const given = useRef(new Set<string>())
  return (
    <ShelfPicture
      title={view.shelf === null ? 'Photographier l’étagère' : `Photographier\u202f: ${view.shelf.label}`}
      toneWords={toneWords}
      lookOf={seer.lookOf}
      note={stopped ?? noteSince(view, opened)}
      onSeen={(codes) => {
        if (stopped !== null) return
        const fresh = codes.filter(({ text }) => !given.current.has(text))
        for (const { text } of fresh) given.current.add(text)
        void count.scanShelf(codes, fresh)
      }}
      actsOf={(code) => (stopped === null ? <Acts code={code} seer={seer} count={count} /> : null)}
      onSingle={onSingle}
      onScan={onScan}
      onClose={onClose}
    >
      {({ stretches, choose }) => (
        <>
          <SeenList title="Mal rangés" items={misplacedIn(stretches, seer)} onChoose={choose} />
          <SeenList title="À traiter" items={linesOf(stretches, seer, isToDo)} onChoose={choose} />
          {stopped === null ? (
            <Unseen copies={unseenAt(view, stretches, seer)} count={count} view={view} />
          ) : null}
          <SeenList title="Comptés" items={linesOf(stretches, seer, isInOrder)} onChoose={choose} />
        </>
      )}
    </ShelfPicture>
  )
}

/** What the last gesture came to, a hand scanner's too, which the sheet would hide. */
const noteSince = (view: CountView, turn: number): string | undefined =>
  view.last && view.last.turn > turn ? noteOf(view)?.text : undefined

const toneWords: ToneWords = {
  good: ['compté', 'comptés'],
  faint: ['déjà compté', 'déjà comptés'],
  warn: ['d’un autre rayon', 'd’un autre rayon'],
  bad: ['à voir', 'à voir'],
  sought: ['attendu par un lecteur', 'attendus par un lecteur'],
  none: ['autre', 'autres'],
}

const toneOf: Record<ScanVerdict, LookTone> = {
  found: 'good',
  already: 'faint',
  elsewhere: 'warn',
  lent: 'bad',
  withdrawn: 'bad',
  unknown: 'bad',
}

/** `scan`: what counted it since the sheet was opened. `verdict`: how it stands, counted or not. */
type SeenCopy = {
  bar_code: string
  copy: StoredCopy | null
  scan: StoredScan | null
  isCounted: boolean
  verdict: ScanVerdict
}
type Seer = {
  lookOf: (code: SeenCode) => Look
  /** Null for the label of a shelf. */
  copyOf: (code: SeenCode) => SeenCopy | null
}

const keyOf = (copy: number | null, bar_code: string | null): string => `${copy ?? bar_code}`

/** What the device knows of the codes in sight. */
function useSeer(view: CountView): Seer {
  const [before] = useState(view.scans[0]?.seq ?? 0)
  const isOnline = useConnection() === 'online'
  const mayPick = useRight('RESERVATION_EDIT')
  const { data } = useQuery({ ...pickingQuery, enabled: isOnline && mayPick })
  const { copies, loaded } = view
  const awaited = new Map(membersOf(data)?.map((row) => [row.copy, row.beneficiary_name]) ?? [])
  const since = new Map<string, StoredScan>()
  for (const scan of view.scans) {
    if (scan.seq <= before) break
    if (!scan.taken_back) since.set(keyOf(scan.copy, scan.bar_code), scan)
  }
  const copyOf = ({ text, symbology }: SeenCode): SeenCopy | null => {
    const read = copies.read(text, loaded, symbology)
    if (read.kind === 'shelf') return null
    const { copy, code: bar_code } = read
    const scan = since.get(keyOf(copy?.id ?? null, bar_code)) ?? null
    const isCounted = scan !== null || (copy !== null && copies.isCounted(copy.id))
    // Where it was counted says more than where one stands now.
    const verdict = scan && scan.verdict !== 'already' ? scan.verdict : copies.standing(copy, loaded)
    return { bar_code, copy, scan, isCounted, verdict }
  }
  return {
    copyOf,
    lookOf(code) {
      const seen = copyOf(code)
      if (seen === null) return { tone: 'none', name: code.text, word: 'Rayon', sentence: '' }
      const { copy, scan, isCounted, verdict } = seen
      const name = copy?.name ?? code.text
      const where = sentenceOfCopy(seen, view)
      const reader = copy === null ? undefined : awaited.get(copy.id)
      if (reader !== undefined && (verdict === 'found' || verdict === 'elsewhere')) {
        const sentence = [`Attendu par ${reader}\u202f: mettez-le de côté.`, where].filter(Boolean).join(' ')
        return { tone: 'sought', name, word: verdictWords[verdict].word, sentence }
      }
      if (verdict === 'unknown' && isCounted) {
        return { tone: 'bad', name, word: 'Inconnu, noté', sentence: '' }
      }
      if (verdict !== 'found')
        return { tone: toneOf[verdict], name, word: verdictWords[verdict].word, sentence: where }
      if (copy !== null && view.underWay.has(copy.id))
        return { tone: 'none', name, word: 'Enregistrement…', sentence: '' }
      if (!isCounted) return { tone: 'bad', name, word: 'Pas compté', sentence: 'Comptez-le d’ici.' }
      return scan
        ? { tone: 'good', name, word: verdictWords.found.word, sentence: sentenceOfScan(scan, view) }
        : { tone: 'faint', name, word: verdictWords.already.word, sentence: '' }
    },
  }
}

function Acts({ code, seer, count }: { code: SeenCode; seer: Seer; count: Count }) {
  const seen = seer.copyOf(code)
  if (seen === null) return null
  const { scan, copy, isCounted } = seen
  if (scan) {
    return (
      <Button variant="default" onClick={() => void count.change(scan.key, { taken_back: true })}>
        Annuler ce comptage
      </Button>
    )
  }
  return isCounted ? null : (
    <Button variant="default" onClick={() => void count.scan(code.text, 'camera', code.symbology)}>
      {copy ? 'Compter' : 'Noter comme inconnu'}
    </Button>
  )
}

/** Of the copies that belong on this shelf: those of another are told as such. */
const marked = (codes: readonly SeenCode[], { copyOf }: Seer) =>
  codes.flatMap((code) => {
    const { copy = null, verdict = null } = copyOf(code) ?? {}
    return copy?.call_number && verdict !== 'elsewhere' ? [{ code, copy, mark: copy.call_number }] : []
  })

function misplacedIn(stretches: readonly SeenCode[][], seer: Seer) {
  const marks = stretches.map((stretch) => marked(stretch, seer))
  return findMisplaced(marks, ({ mark }) => mark).map(({ item, after, before }) => ({
    text: item.code.text,
    tone: 'warn' as const,
    name: `${item.mark} · ${item.copy.name}`,
    words: placeBetween(after?.mark ?? null, before?.mark ?? null),
  }))
}

const placeBetween = (after: string | null, before: string | null): string =>
  after === null
    ? `Sa place\u202f: avant ${before ?? ''}`
    : before === null
      ? `Sa place\u202f: après ${after}`
      : `Sa place\u202f: entre ${after} et ${before}`

const isToDo = (tone: LookTone): boolean => tone === 'bad' || tone === 'warn' || tone === 'sought'
const isInOrder = (tone: LookTone): boolean => tone === 'good' || tone === 'faint'

function linesOf(stretches: readonly SeenCode[][], { lookOf }: Seer, isOf: (tone: LookTone) => boolean) {
  return stretches.flat().flatMap((code) => {
    const { tone, name, word, sentence } = lookOf(code)
    const words = [word, sentence].filter((part) => part !== '').join(' · ')
    return isOf(tone) ? [{ text: code.text, tone, name, words }] : []
  })
}

/**
 * Counted by nobody, and expected between the first and the last mark in sight, on the chosen shelf where there is
 * one; all of that shelf where nothing in sight has a mark.
 */
function unseenAt({ shelf, copies }: CountView, stretches: readonly SeenCode[][], seer: Seer): StoredCopy[] {
  if (stretches.length === 0) return []
  const runs = stretches.flatMap((stretch) => runOf(marked(stretch, seer).map(({ mark }) => mark)) ?? [])
  if (runs.length === 0 && shelf === null) return []
  const isInSight = (mark: string | null) =>
    runs.length === 0 || (mark !== null && runs.some(({ first, last }) => isWithin(mark, first, last)))
  return copies
    .expected(shelf?.id)
    .filter(({ id, call_number }) => !copies.isCounted(id) && isInSight(call_number))
}

type UnseenProps = { copies: readonly StoredCopy[]; count: Count; view: CountView }

/** Each ticked by hand where it stands there all the same; what was ticked stays, to be taken back. */
function Unseen({ copies, count, view }: UnseenProps) {
  const [ticked, setTicked] = useState<readonly StoredCopy[]>([])
  const tick = (copy: StoredCopy) => {
    setTicked((before) => [...before.filter(({ id }) => id !== copy.id), copy])
    void count.tick(copy)
  }
  const items = [...ticked.filter(({ id }) => !copies.some((copy) => copy.id === id)), ...copies]
  const scanOf = (copy: StoredCopy) => view.scans.find((scan) => scan.copy === copy.id && !scan.taken_back)
  return (
    <SeenList
      title="Attendus ici, pas vus"
      items={items.map((copy) => ({
        text: copy.bar_code,
        tone: scanOf(copy) ? 'good' : 'none',
        name: [copy.call_number, copy.name].filter(Boolean).join(' · '),
        words: scanOf(copy) ? 'Coché' : '',
      }))}
      actOf={(code) => {
        const copy = items.find(({ bar_code }) => bar_code === code)
        const scan = copy && scanOf(copy)
        return copy === undefined ? null : scan ? (
          <Button
            variant="subtle"
            aria-label={`Annuler\u202f: ${copy.name}`}
            onClick={() => void count.change(scan.key, { taken_back: true })}
          >
            Annuler
          </Button>
        ) : (
          <Button variant="default" aria-label={`Cocher\u202f: ${copy.name}`} onClick={() => tick(copy)}>
            Cocher
          </Button>
        )
      }}
    />
  )
}
