import { List, Text } from '@mantine/core'
import '@mantine/core/styles/List.css'

import { rightSentences } from '../../domain/right-sentences.ts'
import type { Right } from '../../domain/rights.ts'
import { inWords } from '../page/house-words.ts'

type Difference = { added: readonly Right[]; removed: readonly Right[] }

export const differenceOf = (before: readonly Right[], after: readonly Right[]): Difference => ({
  added: after.filter((right) => !before.includes(right)),
  removed: before.filter((right) => !after.includes(right)),
})

/** The rights of a profile as it is now, changed by what was ticked on an earlier state of it. */
export const withDifference = (now: readonly Right[], { added, removed }: Difference): Right[] => [
  ...new Set([...now.filter((right) => !removed.includes(right)), ...added]),
]

/** « 2 droits ajoutés, 1 retiré ». */
export function differenceWords({ added, removed }: Difference): string {
  const several = (count: number) => (count > 1 ? 's' : '')
  const noun = (count: number) => `${count} droit${several(count)}`
  const plus = added.length > 0 ? `${noun(added.length)} ajouté${several(added.length)}` : ''
  const minus = `${plus === '' ? noun(removed.length) : removed.length} retiré${several(removed.length)}`
  return [plus, removed.length > 0 ? minus : ''].filter(Boolean).join(', ')
}

/** The same with a second factor that becomes obligatory, or is no longer; null where that stays. */
export function changeWords(difference: Difference, second_factor: boolean | null): string {
  const rights = differenceWords(difference)
  if (second_factor === null) return rights
  const factor = `euxième facteur ${second_factor ? 'obligatoire' : 'facultatif'}`
  return rights === '' ? `D${factor}` : `${rights}, d${factor}`
}

/** Their names, under what becomes of them. */
export function DifferenceNames({ added, removed }: Difference) {
  return (
    <>
      <RightNames title="Ajoutés" of={added} />
      <RightNames title="Retirés" of={removed} />
    </>
  )
}

export function RightNames({ title, of }: { title: string; of: readonly Right[] }) {
  if (of.length === 0) return null
  return (
    <>
      <Text component="span" display="block" fw={600} mt="xs">
        {title}
      </Text>
      <List>
        {of.map((right) => (
          <List.Item key={right}>{inWords(rightSentences[right])}</List.Item>
        ))}
      </List>
    </>
  )
}
