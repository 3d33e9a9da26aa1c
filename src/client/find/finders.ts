import { autocompleteBeneficiaries } from '../../contract/beneficiaries.ts'
import { listCopies, listReferences } from '../../contract/catalogue.ts'
import { type Counted, type Filter, membersOf, totalOf } from '../../contract/list.ts'
import { listLoans } from '../../contract/loans.ts'
import { findIsbn13, writtenForms } from '../../domain/bar-code.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { call } from '../api/call.ts'
import { addressOfReference } from '../catalogue/reference-data.ts'
import { inWords } from '../page/house-words.ts'
import { addressOf } from '../ui/address-of.ts'
import { hitOfReaderAct, type ReaderAct } from './act-hits.ts'
import type { Place } from '../catalogue/free-words.ts'
import type { Hit } from './hit.ts'
import {
  type Has,
  hitOfCopy,
  hitOfLoan,
  hitOfReader,
  hitOfReference,
  hitsOfTitles,
  mayOpenCounter,
} from './hits.ts'

export type Asking = { has: Has; place: Place; signal: AbortSignal }

/** Leads to the list of what was found, and says how many they are. */
type All = { total: number; hit: Hit }
/** Best first. */
export type Found = { hits: Hit[]; all?: All }

type Finder = {
  kind: Hit['kind']
  /** Whether a screen of it is open to this person. */
  may: (has: Has) => boolean
  shortest: number
  /** The server keeps to the site and the person's sight. */
  find: (text: string, asking: Asking) => Promise<Found>
}

/** One finder alone may fill the list of hits. */
const limit = 8

/** A subject joins with one row, the likeliest first: whoever lends looks for a reader, then a title. */
export const finders: readonly Finder[] = [
  {
    kind: 'reader',
    may: (has) => has('LIST_BENEFICIARIES'),
    shortest: 2,
    find: async (text, { has, signal }) => {
      const page = await readersNamed(text, signal)
      return {
        hits: membersOf(page).map((reader) => hitOfReader(reader, has)),
        // The field finds those alone who are registered now.
        all: allOf('lecteurs', page, '/beneficiaries', { 'searchname|like': text, 'is_active|eq': '1' }),
      }
    },
  },
  {
    kind: 'reference',
    may: (has) => has('LIST_REFERENCES') || mayOpenCounter(has),
    shortest: 3,
    find: (text, asking) =>
      asking.has('LIST_REFERENCES') ? findReferences(text, asking) : findTitlesOfCopies(text, asking),
  },
  {
    kind: 'loan',
    may: (has) => has('LIST_LOANINGS'),
    shortest: 3,
    find: async (text, { has, signal }) => {
      // Titles lead to their loans; of readers the field does not find who left, and may have a copy still.
      const fields = [...(has('LIST_REFERENCES') ? [] : ['referencesearchname']), 'benefsearchname']
      const pages = await Promise.all(
        fields.map((field) =>
          call(listLoans, {
            list: { limit, filters: [inProgress, { field, operator: 'like', value: text }] },
            signal,
          }),
        ),
      )
      return { hits: pages.flatMap((page) => membersOf(page)).map((loan) => hitOfLoan(loan, has)) }
    },
  },
  {
    kind: 'copy',
    may: mayOpenCounter,
    shortest: 1,
    // Only a whole code finds a copy. The server would read a comma within it as two values.
    find: async (text, { has, place, signal }) => {
      const forms = writtenForms(text).filter((form) => !form.includes(','))
      if (forms.length === 0) return { hits: [] }
      const page = await call(listCopies, {
        list: { limit, filters: [{ field: 'bar_code', operator: 'in', value: forms }] },
        signal,
      })
      return { hits: membersOf(page).map((copy) => hitOfCopy(copy, has, place)) }
    },
  },
]

const readersNamed = (searchname: string, signal: AbortSignal) =>
  call(autocompleteBeneficiaries, { query: { searchname }, list: { limit }, signal })

/** Those whose name follows an act, each with this act. */
export async function findReadersFor(act: ReaderAct, { has, signal }: Asking): Promise<Hit[]> {
  const page = await readersNamed(act.name, signal)
  return membersOf(page).map((reader) => hitOfReaderAct(act, reader.id, hitOfReader(reader, has)))
}

const inProgress: Filter = { field: 'status', operator: 'eq', value: 'in_progress' }

/** With the copies of every site that is open to the person, in one call. */
async function findReferences(text: string, { has, place, signal }: Asking): Promise<Found> {
  // An ISBN is kept without its hyphens.
  const sought = findIsbn13(text) ?? text
  const page = await call(listReferences, {
    query: { with_copies: '1' },
    list: { limit, filters: [{ field: 'searchname', operator: 'like', value: sought }] },
    site: 0,
    signal,
  })
  return {
    hits: membersOf(page).map((reference) => hitOfReference(reference, has, place)),
    all: allOf('références', page, '/references', { 'searchname|like': sought }),
  }
}

/** Their title has no page for this person, and the counter shows what stands here alone. */
async function findTitlesOfCopies(text: string, { has, place, signal }: Asking): Promise<Found> {
  const page = await call(listCopies, {
    list: { limit: 50, filters: [{ field: 'searchname', operator: 'like', value: text }] },
    signal,
  })
  return { hits: hitsOfTitles(membersOf(page), has, place).slice(0, limit) }
}

function allOf(many: string, page: Counted, path: string, search: Record<string, string>): All {
  const total = totalOf(page)
  const title = `Voir les ${frenchNumber(total)} ${inWords(many)}`
  return {
    total,
    hit: { key: `all ${path}`, kind: 'list', title, detail: '', to: addressOf(path, search), actions: [] },
  }
}

/** The title that has this ISBN, or null. */
export async function addressOfIsbn(code: string): Promise<string | null> {
  const page = await call(listReferences, {
    query: {},
    list: { limit: 1, filters: [{ field: 'code', operator: 'eq', value: code }] },
  })
  const [reference] = membersOf(page)
  return reference ? addressOfReference(reference.id) : null
}
