import type { BeneficiaryChoice } from '../../contract/beneficiaries.ts'
import { autocompleteBeneficiaries } from '../../contract/beneficiaries.ts'
import { type Copy, listCopies, listReferences, type Reference } from '../../contract/catalogue.ts'
import { membersOf, type Filter } from '../../contract/list.ts'
import { listLoans, type Loan } from '../../contract/loans.ts'
import { findIsbn13 } from '../../domain/bar-code.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { fullName } from '../../domain/person-names.ts'
import type { Right } from '../../domain/rights.ts'
import { call } from '../api/call.ts'
import { addressOfHistory, addressOfNewCopy, addressOfReference } from '../catalogue/reference-data.ts'
import { addressOfReaderLoans } from '../loans/reader-loans.ts'
import { addressOf, addressOfReader } from '../ui/address-of.ts'
import { counted } from '../ui/words.ts'
import type { Hit } from './hit.ts'

export type Has = (right: Right) => boolean

type Finder = {
  kind: Hit['kind']
  /** Whether a screen of it is open to this person. */
  may: (has: Has) => boolean
  shortest: number
  /** Best first; the server keeps to the site and the person's sight. */
  find: (text: string, has: Has, signal: AbortSignal) => Promise<Hit[]>
}

/** One finder alone may fill the list of hits. */
const limit = 8

/** A subject joins with one row, the likeliest first: whoever lends looks for a reader, then a title. */
export const finders: readonly Finder[] = [
  {
    kind: 'reader',
    may: (has) => has('LIST_BENEFICIARIES'),
    shortest: 2,
    find: async (text, has, signal) =>
      membersOf(
        await call(autocompleteBeneficiaries, { query: { searchname: text }, list: { limit }, signal }),
      ).map((reader) => hitOfReader(reader, has)),
  },
  {
    kind: 'reference',
    may: (has) => has('LIST_REFERENCES'),
    shortest: 3,
    find: async (text, has, signal) =>
      membersOf(
        await call(listReferences, {
          query: {},
          // An ISBN is kept without its hyphens.
          list: {
            limit,
            filters: [{ field: 'searchname', operator: 'like', value: findIsbn13(text) ?? text }],
          },
          signal,
        }),
      ).map((reference) => hitOfReference(reference, has)),
  },
  {
    kind: 'loan',
    may: (has) => has('LIST_LOANINGS'),
    shortest: 3,
    find: async (text, has, signal) => {
      const pages = await Promise.all(
        (['referencesearchname', 'benefsearchname'] as const).map((field) =>
          call(listLoans, {
            list: { limit, filters: [inProgress, { field, operator: 'like', value: text }] },
            signal,
          }),
        ),
      )
      return pages.flatMap((page) => membersOf(page)).map((loan) => hitOfLoan(loan, has))
    },
  },
  {
    kind: 'copy',
    may: (has) => has('LOANING_ADD') || has('LOANING_RETURN'),
    shortest: 3,
    find: async (text, has, signal) =>
      membersOf(
        await call(listCopies, {
          list: { limit, filters: [{ field: 'searchname', operator: 'like', value: text }] },
          signal,
        }),
      ).map((copy) => hitOfCopy(copy, has)),
  },
]

const inProgress: Filter = { field: 'status', operator: 'eq', value: 'in_progress' }

export function hitOfReader(
  reader: Pick<BeneficiaryChoice, 'id' | 'matricule' | 'firstname' | 'lastname'>,
  has: Has,
): Hit {
  const { id, matricule } = reader
  const to = addressOfReader(id)
  return {
    key: `reader ${id}`,
    kind: 'reader',
    title: fullName(reader),
    detail: matricule,
    to,
    actions: [
      ...(has('LIST_LOANINGS')
        ? [{ label: 'Voir ses prêts', to: addressOfReaderLoans(matricule, fullName(reader)) }]
        : []),
      ...(has('LOANING_ADD')
        ? [{ label: 'Prêter', to: addressOf('/loaning/add', { beneficiary: id }) }]
        : []),
      ...(has('LOANING_RETURN')
        ? [{ label: 'Rendre', to: addressOf('/loaning/return', { beneficiary: id }) }]
        : []),
    ],
  }
}

function hitOfLoan(loan: Loan, has: Has): Hit {
  const to = addressOfLoan(loan.id)
  return {
    key: `loan ${loan.id}`,
    kind: 'loan',
    title: loan.reference_name,
    medium: loan.medium,
    detail: `${loan.beneficiary_name} · ${loan.islate ? 'en retard, ' : ''}retour prévu le ${frenchDay(loan.end_date)}`,
    to,
    actions: [{ label: 'Voir', to }, ...givingBack(loan.beneficiary, loan.id, has)],
  }
}

/** A lent copy leads to its loan, any other to the counter. */
function hitOfCopy({ id, name, bar_code, medium, status_name, type, loaning }: Copy, has: Has): Hit {
  const loan = loaning && has('LIST_LOANINGS') ? loaning : null
  const to = loan ? addressOfLoan(loan.id) : addressOfCopy(id)
  const isFree = status_name === 'Disponible' && type === 'Location'
  return {
    key: loan ? `loan ${loan.id}` : `copy ${id}`,
    kind: 'copy',
    title: name,
    medium: medium?.name ?? null,
    detail: `${bar_code} · ${loaning ? `en prêt, retour prévu le ${frenchDay(loaning.end_date)}` : status_name}`,
    to,
    actions: [
      { label: 'Voir', to },
      ...(isFree && has('LOANING_ADD')
        ? [{ label: 'Prêter', to: addressOf('/loaning/add', { copy: id }) }]
        : []),
      ...(loaning ? givingBack(loaning.beneficiary ?? null, loaning.id, has) : []),
    ],
  }
}

function hitOfReference(reference: Reference, has: Has): Hit {
  const { id, name, code, tags, medium, copies_count } = reference
  const to = addressOfReference(id)
  return {
    key: `reference ${id}`,
    kind: 'reference',
    title: name,
    medium: medium?.name ?? null,
    detail: [tags.author, code, counted(copies_count, 'exemplaire', 'exemplaires', 'aucun exemplaire')]
      .filter(Boolean)
      .join(' · '),
    to,
    actions: [
      { label: 'Voir', to },
      ...(has('COPY_CREATECOPY') ? [{ label: 'Ajouter un exemplaire', to: addressOfNewCopy(id) }] : []),
      ...(has('LIST_LOANINGS') ? [{ label: 'Historique des prêts', to: addressOfHistory(name) }] : []),
    ],
  }
}

const givingBack = (beneficiary: number | null, loan: number, has: Has) =>
  beneficiary !== null && has('LOANING_RETURN')
    ? [{ label: 'Rendre', to: addressOf('/loaning/return', { beneficiary, loan }) }]
    : []

/** The title that has this ISBN, or null. */
export async function addressOfIsbn(code: string): Promise<string | null> {
  const page = await call(listReferences, {
    query: {},
    list: { limit: 1, filters: [{ field: 'code', operator: 'eq', value: code }] },
  })
  const [reference] = membersOf(page)
  return reference ? addressOfReference(reference.id) : null
}

export const addressOfLoan = (id: number): string => `/loanings/view/${id}`
export const addressOfCopy = (id: number): string => addressOf('/home', { copy: id })
