import type { BeneficiaryChoice } from '../../contract/beneficiaries.ts'
import type { Copy, Reference } from '../../contract/catalogue.ts'
import type { Loan } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { fullName } from '../../domain/person-names.ts'
import type { Right } from '../../domain/rights.ts'
import { addressOfHistory, addressOfNewCopy, addressOfReference } from '../catalogue/reference-data.ts'
import { addressOfReaderLoans } from '../loans/reader-loans.ts'
import { type Act, acts } from '../ui/acts.ts'
import { addressOf, addressOfReader } from '../ui/address-of.ts'
import { inOneLine } from '../ui/in-one-line.ts'
import { readerWords } from '../beneficiaries/hit-words.ts'
import { copyWords, freeWords, isFree, type Place } from '../catalogue/free-words.ts'
import { titleWords } from '../catalogue/hit-words.ts'
import type { CopyLink, Hit } from './hit.ts'

export type Has = (right: Right) => boolean

type FoundReader = Pick<BeneficiaryChoice, 'id' | 'matricule' | 'firstname' | 'lastname'> & {
  /** The device does not know it. */
  birth_year?: number | null
}

export function hitOfReader(reader: FoundReader, has: Has): Hit {
  const { id, matricule } = reader
  const to = addressOfReader(id)
  return {
    key: `reader ${id}`,
    kind: 'reader',
    title: fullName(reader),
    detail: readerWords(reader),
    to,
    actions: [
      ...(has('LIST_LOANINGS')
        ? [{ label: 'Voir ses prêts', to: addressOfReaderLoans(matricule, fullName(reader)) }]
        : []),
      ...Object.values<Act>(acts).flatMap(({ label, rights, ofReader }) =>
        ofReader && rights.every(has) ? [{ label, to: ofReader.to(id) }] : [],
      ),
    ],
  }
}

export function hitOfLoan(loan: Loan, has: Has): Hit {
  const to = addressOfLoan(loan.id)
  return {
    key: `loan ${loan.id}`,
    kind: 'loan',
    title: loan.reference_name,
    medium: loan.medium,
    detail: `${loan.beneficiary_name} · ${loan.islate ? 'en retard, ' : ''}retour prévu le ${frenchDay(loan.end_date)}`,
    to,
    actions: [{ label: 'Voir', to }, ...givingBack(loan.beneficiary, loan.id, has)],
    of: [keyOfTitle(loan.reference), `reader ${loan.beneficiary}`],
  }
}

export function hitOfCopy(copy: Copy, has: Has, place: Place): Hit {
  const { id, name, bar_code, medium, loaning } = copy
  const loan = loaning && has('LIST_LOANINGS') ? loaning : null
  const { to } = leadOf(copy, has, place)
  return {
    key: loan ? `loan ${loan.id}` : `copy ${id}`,
    kind: 'copy',
    title: name,
    medium: medium?.name ?? null,
    detail: inOneLine([bar_code, copyWords(copy, place)]),
    to,
    actions: [
      { label: 'Voir', to },
      ...(isFree(copy) && has('LOANING_ADD')
        ? [{ label: acts.lend.label, to: addressOf('/loaning/add', { copy: id }) }]
        : []),
      ...(loaning ? givingBack(loaning.beneficiary ?? null, loaning.id, has) : []),
    ],
  }
}

export function hitOfReference(reference: Reference, has: Has, place: Place): Hit {
  const { id, name, medium, image_path, copies = [] } = reference
  const { told, now } = titleWords(reference, place)
  const to = addressOfReference(id)
  return {
    key: keyOfTitle(id),
    kind: 'reference',
    title: name,
    medium: medium?.name ?? null,
    image: image_path,
    detail: told,
    now,
    copies: linksOf(copies, has, place),
    to,
    actions: [
      { label: 'Voir', to },
      ...(has('COPY_CREATECOPY') ? [{ label: 'Ajouter un exemplaire', to: addressOfNewCopy(id) }] : []),
      ...(has('LIST_LOANINGS') ? [{ label: 'Historique des prêts', to: addressOfHistory(name) }] : []),
    ],
  }
}

/** The titles of copies, for whoever may not see titles; each leads where its first copy does. */
export function hitsOfTitles(copies: readonly Copy[], has: Has, place: Place): Hit[] {
  const byTitle = new Map<number, Copy[]>()
  for (const copy of copies) byTitle.set(copy.reference, [...(byTitle.get(copy.reference) ?? []), copy])
  return [...byTitle].flatMap(([reference, those]) => {
    const links = linksOf(those, has, place)
    const [first, lead] = [those[0], links[0]]
    if (!first || !lead) return []
    const { name: title, medium } = first
    const key = keyOfTitle(reference)
    return {
      key,
      kind: 'reference',
      title,
      detail: '',
      medium: medium?.name ?? null,
      actions: [],
      now: freeWords(those, place),
      copies: links,
      to: lead.to,
    }
  })
}

const keyOfTitle = (reference: number): string => `reference ${reference}`

/** Copies of this site come first, free ones before others. */
function linksOf(copies: readonly Copy[], has: Has, place: Place): CopyLink[] {
  const rank = (copy: Copy) => (copy.site === place.site ? 0 : 2) + (isFree(copy) ? 0 : 1)
  return copies
    .toSorted((one, other) => rank(one) - rank(other))
    .map((copy) => ({
      label: copy.bar_code,
      detail: inOneLine([copyWords(copy, place), place.isMultisite ? copy.site_name : null]),
      ...leadOf(copy, has, place),
    }))
}

/** A lent copy leads to its loan, one of this place to the counter, any other to its title. */
function leadOf(copy: Copy, has: Has, { site }: Place): { leads: string; to: string } {
  const { id, loaning, sold_on, reference } = copy
  if (loaning && has('LIST_LOANINGS')) return { leads: 'Prêt', to: addressOfLoan(loaning.id) }
  const isAtCounter = (site === 0 || copy.site === site) && sold_on === null
  if (isAtCounter && mayOpenCounter(has)) return { leads: 'Comptoir', to: addressOfCopy(id) }
  return { leads: 'Référence', to: addressOfReference(reference) }
}

export const mayOpenCounter = (has: Has): boolean => has('LOANING_ADD') || has('LOANING_RETURN')

const givingBack = (beneficiary: number | null, loan: number, has: Has) =>
  beneficiary !== null && has('LOANING_RETURN')
    ? [{ label: acts.giveBack.label, to: addressOf('/loaning/return', { beneficiary, loan }) }]
    : []

export const addressOfLoan = (id: number): string => `/loanings/view/${id}`
export const addressOfCopy = (id: number): string => addressOf('/home', { copy: id })
