import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { membersOf } from '../../contract/list.ts'
import type { ScanVerdict } from '../../domain/inventory.ts'
import { findMisplaced, isWithin, runOf } from '../../domain/shelf-order.ts'
import type { StoredCopy, StoredScan } from '../../offline/inventory-rows.ts'
import { useConnection } from '../api/connection.ts'
import { inWords } from '../page/house-words.ts'
import { pickingQuery } from '../reservations/shelf-data.ts'
import type { ScanHandler } from '../scanner/scan-source.tsx'
import type { Look } from '../shelf/look.ts'
import { SeenList, type ToneWords } from '../shelf/seen-codes.tsx'
import { ShelfPicture } from '../shelf/shelf-picture.tsx'
import type { SeenCode } from '../shelf/shelf-walk.ts'
import type { Count, CountView } from './count.ts'
import { verdictWords } from './inventory-words.ts'
import { sentenceOfCopy, sentenceOfScan } from './scan-words.ts'

type ShelfCountProps = {
  count: Count
  view: CountView
  onSingle: () => void
  onScan: ScanHandler
  onClose: () => void
}

/** Counts a shelf by its picture; all of it goes the way of single scans. */
export default function ShelfCount({ count, view, onSingle, onScan, onClose }: ShelfCountProps) {
  const seer = useSeer(view)
  return (
    <ShelfPicture
      title={view.shelf === null ? 'Photographier l’étagère' : `Photographier\u202f: ${view.shelf.label}`}
      toneWords={toneWords}
      lookOf={seer.lookOf}
      onNews={(codes) => void count.scanShelf(codes)}
      actsOf={(code) => <Acts code={code} seer={seer} count={count} />}
      onSingle={onSingle}
      onScan={onScan}
      onClose={onClose}
    >
      {({ stretches, choose }) => (
        <>
          <SeenList title="Mal rangés" items={misplacedIn(stretches, seer)} onChoose={choose} />
          <SeenList title="À voir" items={troublesIn(stretches, seer)} onChoose={choose} />
          <Unseen copies={unseenAt(view, stretches, seer)} onTick={(copy) => void count.tick(copy)} />
        </>
      )}
    </ShelfPicture>
  )
}

const toneWords: ToneWords = {
  done: ['compté', 'comptés'],
  before: ['déjà compté', 'déjà comptés'],
  elsewhere: ['d’un autre rayon', 'd’un autre rayon'],
  trouble: ['à voir', 'à voir'],
  awaited: ['attendu par un lecteur', 'attendus par un lecteur'],
  other: ['étiquette de rayon', 'étiquettes de rayon'],
}

const toneOf: Record<ScanVerdict, Look['tone']> = {
  found: 'done',
  already: 'before',
  elsewhere: 'elsewhere',
  lent: 'trouble',
  withdrawn: 'trouble',
  unknown: 'trouble',
}

/** `scan`: what counted it since the sheet was opened. */
type SeenCopy = { bar_code: string; copy: StoredCopy | null; scan: StoredScan | null; verdict: ScanVerdict }
type Seer = {
  lookOf: (code: SeenCode) => Look
  /** Null for the label of a shelf. */
  copyOf: (code: SeenCode) => SeenCopy | null
}

/** What the device knows of the codes in sight. */
function useSeer(view: CountView): Seer {
  const [before] = useState(view.scans[0]?.seq ?? 0)
  const isOnline = useConnection() === 'online'
  const { data } = useQuery({ ...pickingQuery, enabled: isOnline, retry: false })
  const { copies, loaded } = view
  const awaited = new Map(membersOf(data)?.map((row) => [row.copy, row.beneficiary_name]) ?? [])
  const since = new Map<number, StoredScan>()
  for (const scan of view.scans) {
    if (scan.seq <= before) break
    if (scan.copy !== null && !scan.taken_back) since.set(scan.copy, scan)
  }
  const copyOf = ({ text, symbology }: SeenCode): SeenCopy | null => {
    const read = copies.read(text, loaded, symbology)
    if (read.kind === 'shelf') return null
    const { copy, code: bar_code } = read
    const scan = (copy && since.get(copy.id)) ?? null
    return { bar_code, copy, scan, verdict: scan?.verdict ?? copies.judge(copy, loaded) }
  }
  return {
    copyOf,
    lookOf(code) {
      const seen = copyOf(code)
      if (seen === null) return { tone: 'other', name: code.text, word: 'Rayon', sentence: '' }
      const { copy, scan, verdict } = seen
      const name = copy?.name ?? code.text
      const { word } = verdictWords[verdict]
      const reader = copy === null ? undefined : awaited.get(copy.id)
      if (reader !== undefined && (verdict === 'found' || verdict === 'already')) {
        const sentence = `Attendu par ${reader}\u202f: mettez-le de côté.`
        return { tone: 'awaited', name, word, sentence }
      }
      const sentence = scan ? sentenceOfScan(scan, view) : sentenceOfCopy(seen, view)
      return { tone: toneOf[verdict], name, word, sentence }
    },
  }
}

function Acts({ code, seer, count }: { code: SeenCode; seer: Seer; count: Count }) {
  const seen = seer.copyOf(code)
  if (seen === null || seen.verdict === 'already') return null
  const { scan, copy } = seen
  return scan ? (
    <Button variant="default" onClick={() => void count.change(scan.key, { taken_back: true })}>
      Annuler ce comptage
    </Button>
  ) : (
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
    tone: 'elsewhere' as const,
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

function troublesIn(stretches: readonly SeenCode[][], { lookOf }: Seer) {
  return stretches.flat().flatMap((code) => {
    const { tone, name, word, sentence } = lookOf(code)
    const isOfUse = tone === 'trouble' || tone === 'elsewhere' || tone === 'awaited'
    const words = [word, sentence].filter((part) => part !== '').join(' · ')
    return isOfUse ? [{ text: code.text, tone, name, words }] : []
  })
}

/** Expected on the chosen shelf, or else between the first and the last mark in sight, and counted by nobody. */
function unseenAt({ shelf, copies }: CountView, stretches: readonly SeenCode[][], seer: Seer): StoredCopy[] {
  if (stretches.length === 0) return []
  const runs = stretches.flatMap((stretch) => runOf(marked(stretch, seer).map(({ mark }) => mark)) ?? [])
  return copies
    .expected(shelf?.id)
    .filter(
      ({ id, call_number }) =>
        !copies.isCounted(id) &&
        (shelf !== null ||
          (call_number !== null && runs.some(({ first, last }) => isWithin(call_number, first, last)))),
    )
}

function Unseen({ copies, onTick }: { copies: readonly StoredCopy[]; onTick: (copy: StoredCopy) => void }) {
  const items = copies.map(({ bar_code, name, call_number }) => ({
    text: bar_code,
    tone: 'other' as const,
    name: [call_number, name].filter(Boolean).join(' · '),
    words: inWords('Attendu ici, pas vu'),
  }))
  return (
    <SeenList
      title="Attendus ici, pas vus"
      items={items}
      act="Cocher"
      onChoose={(code) => {
        const copy = copies.find(({ bar_code }) => bar_code === code)
        if (copy) onTick(copy)
      }}
    />
  )
}
