import type { Reference, ReferenceTags } from '../../contract/catalogue.ts'
import { inOneLine } from '../ui/in-one-line.ts'
import type { CounterCopy } from './counter-copy.ts'
import { freeWords, type Place } from './free-words.ts'

type Told = { told: string; now: string }

type Title = {
  tags: ReferenceTags
  reference_data: Partial<Reference['reference_data']>
  /** Those of every site that is open to the person. */
  copies?: Parameters<typeof freeWords>[0] | undefined
}

/** A title in any search: author and shelf mark, then where a copy of it is free. */
export const titleWords = ({ tags, reference_data, copies = [] }: Title, place: Place): Told => ({
  told: inOneLine([tags.author, reference_data.book_number]),
  now: freeWords(copies, place),
})

/** A copy where one is chosen: its code tells it from the others of its title. */
export const counterCopyWords = ({
  bar_code,
  status,
  holder,
}: Pick<CounterCopy, 'bar_code' | 'status' | 'holder'>): Told => ({
  told: bar_code,
  now: inOneLine([status, holder?.beneficiary_name]),
})
