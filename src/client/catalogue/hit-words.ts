import type { Reference, ReferenceTags } from '../../contract/catalogue.ts'
import { inOneLine } from '../ui/in-one-line.ts'
import type { CounterCopy } from './counter-copy.ts'
import { freeWords, type Place } from './free-words.ts'

/** Copies under their titles: a title stands where its first copy was found, and is shown there alone. */
export function underTitles<C extends Pick<CounterCopy, 'reference'>>(
  copies: readonly C[],
): { copy: C; isUnder: boolean }[] {
  const byTitle = new Map<number, C[]>()
  for (const copy of copies) byTitle.set(copy.reference, [...(byTitle.get(copy.reference) ?? []), copy])
  return [...byTitle.values()].flatMap((those) => those.map((copy, at) => ({ copy, isUnder: at > 0 })))
}

type Told = { told: string; now: string }

type Title = {
  tags: ReferenceTags
  reference_data: Partial<Reference['reference_data']>
  /** Those of every site that is open to the person. */
  copies?: Parameters<typeof freeWords>[0] | undefined
}

/** A title in any search: author and shelf mark, then where a copy of it is free. */
export const titleWords = ({ tags, reference_data, copies = [] }: Title, place: Place): Told => ({
  told: inOneLine([tags.author, reference_data.book_number ?? reference_data.book_number_dewey]),
  now: freeWords(copies, place),
})

/** A copy where one is chosen: its code tells it from the others of its title. */
export const counterCopyWords = ({
  bar_code,
  status,
  holder,
}: Pick<CounterCopy, 'bar_code' | 'status' | 'holder'>): Told & { isCode: true } => ({
  told: bar_code,
  isCode: true,
  now: inOneLine([status, holder?.beneficiary_name]),
})
