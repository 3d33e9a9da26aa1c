import type { Symbology } from '../../domain/bar-code.ts'
import { writtenForms } from '../../domain/bar-code.ts'
import { judgeScan, type ScanVerdict } from '../../domain/inventory.ts'
import { orderByShelfMark } from '../../domain/shelf-order.ts'
import type {
  CountedByOther,
  LoadedCount,
  Shelf,
  StoredCopy,
  StoredScan,
} from '../../offline/inventory-rows.ts'

export type Tally = { seen: number; expected: number }
type Read = { kind: 'shelf'; shelf: Shelf } | { kind: 'copy'; code: string; copy: StoredCopy | null }

/** What a device knows of the copies of an inventory, and which of them are counted. */
export function createCountedCopies(copies: readonly StoredCopy[]) {
  const byId = new Map<number, StoredCopy>()
  const byCode = new Map<string, StoredCopy>()
  const places = new Map<number | null, Tally>()
  const whole: Tally = { seen: 0, expected: 0 }
  /** How many living scans each copy has. */
  const scansOf = new Map<number, number>()

  const placeOf = (location: number | null): Tally => {
    const known = places.get(location) ?? { seen: 0, expected: 0 }
    places.set(location, known)
    return known
  }
  for (const copy of copies) {
    byId.set(copy.id, copy)
    const other = byCode.get(copy.bar_code)
    // A label may have been given anew since its copy was withdrawn.
    if (!other || other.deleted || other.id === copy.id) byCode.set(copy.bar_code, copy)
    if (!copy.expected) continue
    whole.expected += 1
    placeOf(copy.location).expected += 1
  }

  const add = (id: number | null, by: 1 | -1 = 1): void => {
    if (id === null) return
    const before = scansOf.get(id) ?? 0
    const after = before + by
    scansOf.set(id, after)
    const copy = byId.get(id)
    if (!copy?.expected || before > 0 === after > 0) return
    whole.seen += by
    placeOf(copy.location).seen += by
  }

  return {
    whole,
    at: (location: number | null): Tally => places.get(location) ?? { seen: 0, expected: 0 },
    copy: (id: number | null): StoredCopy | null => (id === null ? null : (byId.get(id) ?? null)),
    isCounted: (id: number): boolean => (scansOf.get(id) ?? 0) > 0,
    add,
    recount(own: readonly StoredScan[], others: Iterable<CountedByOther>): void {
      scansOf.clear()
      whole.seen = 0
      for (const tally of places.values()) tally.seen = 0
      for (const scan of own) if (!scan.taken_back) add(scan.copy)
      for (const scan of others) if (!scan.taken_back) add(scan.copy)
    },
    /** A shelf's own label goes first: it is no copy's. */
    read(text: string, { shelves }: LoadedCount, symbology?: Symbology): Read {
      const forms = writtenForms(text, symbology)
      const shelf = shelves.find(({ bar_code }) => bar_code !== null && forms.includes(bar_code))
      if (shelf) return { kind: 'shelf', shelf }
      for (const form of forms) {
        const copy = byCode.get(form)
        if (copy) return { kind: 'copy', code: form, copy }
      }
      return { kind: 'copy', code: (forms[0] ?? '').slice(0, longestCode), copy: null }
    },
    judge(copy: StoredCopy | null, { site, locations, shelf }: LoadedCount): ScanVerdict {
      const isCounted = copy !== null && (scansOf.get(copy.id) ?? 0) > 0
      return judgeScan({ copy, isCounted, shelf }, { site, locations })
    },
    /** What a first scan would say of it, counted or not. */
    standing: (copy: StoredCopy | null, { site, locations, shelf }: LoadedCount): ScanVerdict =>
      judgeScan({ copy, isCounted: false, shelf }, { site, locations }),
    /** Expected, of one shelf or of all, in the order one walks along it. */
    expected(location: number | null | undefined): StoredCopy[] {
      const expected = copies.filter(
        (copy) => copy.expected && (location === undefined || copy.location === location),
      )
      return orderByShelfMark(expected, ({ call_number }) => call_number ?? '', byName)
    },
  }
}
export type CountedCopies = ReturnType<typeof createCountedCopies>

const longestCode = 100
const inFrench = new Intl.Collator('fr', { numeric: true })
const byName = (one: StoredCopy, other: StoredCopy): number =>
  inFrench.compare(one.name, other.name) || one.id - other.id
