import type { Symbology } from '../../domain/bar-code.ts'
import { emitter } from '../../domain/emitter.ts'
import type { ScanVerdict } from '../../domain/inventory.ts'
import { gathered } from '../../offline/gathered.ts'
import { type InventoryNews, watchInventory } from '../../offline/inventory-news.ts'
import {
  type CountedByOther,
  type CountName,
  type LoadedCount,
  type NewScan,
  type Shelf,
  type StoredCopy,
  type StoredScan,
} from '../../offline/inventory-rows.ts'
import { changeScan, recordScan, scansOf } from '../../offline/inventory-scans.ts'
import { changeCount, copiesOf, othersOf, readCount } from '../../offline/inventory-store.ts'
import { newKey } from '../../offline/new-key.ts'
import { currentActor } from '../api/current-actor.ts'
import { cardSentence, isCardOfDevice } from '../find/not-a-copy.ts'
import { currentPreferences } from '../page/preferences.ts'
import { type ScanSignal, signalScan } from '../scanner/scan-feedback.ts'
import { type CountedCopies, createCountedCopies, type Tally } from './counted-copies.ts'
import type { SeenCode } from '../shelf/shelf-walk.ts'
import { isWorse, verdictWords } from './inventory-words.ts'

/** What the last gesture came to; two equal ones differ by their turn. */
export type Last = What & { turn: number }
type What =
  | { kind: 'scan'; scan: StoredScan }
  /** `isCounted`: the inventory is of this shelf too. */
  | { kind: 'shelf'; shelf: Shelf; isCounted: boolean }
  /** More than one shelf's label was in the same picture: none is chosen. */
  | { kind: 'shelves' }
  | { kind: 'failed'; sentence: string }
  /** Read while nothing may be counted. */
  | { kind: 'refused'; code: string; sentence: string }

export type CountView = {
  loaded: LoadedCount
  copies: CountedCopies
  shelf: Shelf | null
  /** This device's, the newest first. */
  scans: readonly StoredScan[]
  others: readonly CountedByOther[]
  last: Last | null
  /** Copies whose scans are not on the device yet. */
  underWay: ReadonlySet<number>
  whole: Tally
  /** Of the shelf, or null before the first. */
  here: Tally | null
}

export type Count = {
  view: () => CountView
  watch: (listener: () => void) => () => void
  scan: (text: string, way: NewScan['way'], symbology?: Symbology) => Promise<void>
  /**
   * Counts, with one sound, what is `fresh` of all that one picture shows, on the shelf whose label it shows; what is counted already
   * or unknown here is left alone.
   */
  scanShelf: (inSight: readonly SeenCode[], fresh?: readonly SeenCode[]) => Promise<void>
  /** Says why a code that was read is not counted. */
  refuse: (code: string, sentence: string) => void
  tick: (copy: StoredCopy) => Promise<void>
  chooseShelf: (shelf: Shelf | null) => Promise<void>
  change: (key: string, change: Partial<Pick<StoredScan, 'note' | 'taken_back'>>) => Promise<void>
  /** Copies and shelves were fetched again. */
  takeCopies: () => Promise<void>
  /** Others have counted. */
  takeOthers: () => Promise<void>
  noteStatus: (status: string) => Promise<void>
  close: () => void
}

/** Null while it was never loaded here. */
export async function openCount(name: CountName): Promise<Count | null> {
  const known = await readCount(name)
  if (known?.loaded_at == null) return null
  let loaded = known
  let copies = createCountedCopies(await copiesOf(name))
  let others = await othersOf(name)
  let own = await scansOf(name)
  let last: Last | null = null
  let turn = 0
  /** Scans that are being written, by their key. */
  const underWay = new Map<string, number | null>()
  let shown: CountView
  const { tell, watch } = emitter()

  const show = () => {
    const { whole } = copies
    shown = {
      loaded,
      copies,
      shelf: loaded.shelves.find(({ id }) => id === loaded.shelf) ?? null,
      scans: own.toReversed(),
      others,
      last,
      underWay: new Set([...underWay.values()].filter((copy) => copy !== null)),
      whole: { ...whole },
      here: loaded.shelf === null ? null : { ...copies.at(loaded.shelf) },
    }
    tell()
  }
  const signal = (what: ScanSignal) => signalScan(what, currentPreferences())
  const say = (what: What) => {
    last = { ...what, turn: ++turn }
  }
  const fail = (error: unknown) => {
    say({ kind: 'failed', sentence: error instanceof Error ? error.message : unwritten })
    signal('refusal')
    show()
  }

  const refuse = (code: string, sentence: string) => {
    say({ kind: 'refused', code, sentence })
    signal('refusal')
    show()
  }

  const recount = () => {
    copies.recount(own, others)
    for (const [key, copy] of underWay) if (!own.some((scan) => scan.key === key)) copies.add(copy)
  }

  type Gesture = Omit<NewScan, 'key' | 'inventory' | 'site' | 'location'>
  const scanOf = (copy: StoredCopy, bar_code: string | null, way: NewScan['way']): Gesture => ({
    bar_code,
    copy: copy.id,
    way,
    verdict: copies.judge(copy, loaded),
    name: copy.name,
  })

  /** Null where it could not be written. */
  const write = async (scan: Gesture): Promise<StoredScan | null> => {
    const { id: inventory, site, shelf: location } = loaded
    const key = newKey()
    // Counted at once, so that the same label read twice is not found twice.
    underWay.set(key, scan.copy)
    copies.add(scan.copy)
    let stored: StoredScan
    try {
      const actor = await currentActor()
      stored = await recordScan({ ...scan, key, inventory, site, location }, actor)
    } catch (error) {
      underWay.delete(key)
      recount()
      fail(error)
      return null
    }
    underWay.delete(key)
    if (!own.some((one) => one.key === key)) own = [...own, stored].sort((one, other) => one.seq - other.seq)
    recount()
    return stored
  }

  const keep = async (...scans: readonly Gesture[]): Promise<void> => {
    const writing = scans.map(write)
    show()
    const written = await Promise.all(writing)
    let worst: StoredScan | null = null
    for (const one of written) {
      if (one !== null && (worst === null || isWorse(worst.verdict, one.verdict))) worst = one
    }
    // `write` has said which scan failed: a good sound would hide it.
    if (worst === null || written.includes(null)) return show()
    say({ kind: 'scan', scan: worst })
    signal(verdictWords[worst.verdict].signal)
    show()
  }

  const chooseShelf = async (shelf: Shelf | null) => {
    const before = loaded.shelf
    // At once: what is scanned next is placed there.
    loaded = { ...loaded, shelf: shelf?.id ?? null }
    try {
      await changeCount(name, { shelf: loaded.shelf })
    } catch (error) {
      loaded = { ...loaded, shelf: before }
      return fail(error)
    }
    if (shelf) {
      const isCounted = loaded.locations.length === 0 || loaded.locations.includes(shelf.id)
      say({ kind: 'shelf', shelf, isCounted })
      signal(isCounted ? 'success' : 'warning')
    }
    show()
  }

  const refresh = async () => {
    own = await scansOf(name)
    recount()
    if (last?.kind === 'scan') {
      const { key } = last.scan
      const scan = own.find((one) => one.key === key)
      if (scan) last = { ...last, scan }
    }
    show()
  }
  const refreshSoon = gathered(refresh)
  const heed = ({ count, to_send, judged = [] }: InventoryNews) => {
    if (count !== name || (to_send && judged.length === 0)) return
    const worst = judged.filter(({ before, verdict }) => isWorse(before, verdict)).map(signalOf)
    // Of what was scanned long ago, one sound is enough.
    if (worst.length > 0) signal(worst.includes('refusal') ? 'refusal' : 'warning')
    refreshSoon()
  }
  const stop = watchInventory(heed)
  recount()
  show()

  return {
    view: () => shown,
    watch,
    async scan(text, way, symbology) {
      const read = copies.read(text, loaded, symbology)
      if (read.kind === 'shelf') return chooseShelf(read.shelf)
      const { copy, code } = read
      if (!copy && (await isCardOfDevice(text, symbology))) return refuse(code, cardSentence)
      await keep(
        copy
          ? scanOf(copy, code, way)
          : { bar_code: code, copy: null, way, verdict: copies.judge(null, loaded), name: null },
      )
    },
    refuse,
    async scanShelf(inSight, fresh = inSight) {
      const readOf = ({ text, symbology }: SeenCode) => copies.read(text, loaded, symbology)
      const labels = new Map<number, Shelf>()
      for (const read of inSight.map(readOf)) if (read.kind === 'shelf') labels.set(read.shelf.id, read.shelf)
      const [label] = labels.values()
      const isUnsure = labels.size > 1 && (loaded.shelf !== null || fresh.length > 0)
      // The label goes first: what stands beside it is placed there, and beside two nowhere.
      if (labels.size > 1) {
        if (loaded.shelf !== null) await chooseShelf(null)
      } else if (label !== undefined) {
        const isFresh = fresh.some((code) => readOf(code).kind === 'shelf')
        if (label.id !== loaded.shelf || isFresh) await chooseShelf(label)
      }
      // By copy: two labels of one, or one twice, are one copy on the shelf.
      const news = new Map<number, Gesture>()
      for (const read of fresh.map(readOf)) {
        if (read.kind === 'shelf' || read.copy === null || copies.isCounted(read.copy.id)) continue
        news.set(read.copy.id, scanOf(read.copy, read.code, 'camera'))
      }
      if (news.size > 0) await keep(...news.values())
      if (!isUnsure) return
      say({ kind: 'shelves' })
      signal('warning')
      show()
    },
    tick: (copy) => keep(scanOf(copy, null, 'hand')),
    chooseShelf,
    async change(key, change) {
      try {
        const changed = await changeScan(key, change)
        if (changed) own = own.map((scan) => (scan.key === key ? changed : scan))
        recount()
        if (changed && last?.kind === 'scan' && last.scan.key === key) last = { ...last, scan: changed }
      } catch (error) {
        return fail(error)
      }
      show()
    },
    async takeCopies() {
      const now = await readCount(name)
      if (now) loaded = { ...now, shelf: loaded.shelf }
      copies = createCountedCopies(await copiesOf(name))
      // A scan that comes while the device's scans are read again must not find all of them uncounted.
      recount()
      await refresh()
    },
    async takeOthers() {
      others = await othersOf(name)
      recount()
      show()
    },
    async noteStatus(status) {
      if (loaded.status === status) return
      loaded = { ...loaded, status }
      show()
      await changeCount(name, { status })
    },
    close: stop,
  }
}

const signalOf = ({ verdict }: { verdict: ScanVerdict }): ScanSignal => verdictWords[verdict].signal

const unwritten = 'Le scan n’est pas enregistré\u202f: cet appareil n’a pas pu l’écrire. Scannez de nouveau.'
