import { Text } from '@mantine/core'

import type { Verdict } from '../../offline/verdict.ts'
import { StatusTag, type Tone } from '../ui/status-tag.tsx'

export const mayBorrow = 'Peut emprunter'

export const cardNotKnown =
  'Cet appareil ne connaît pas cette carte\u202f: ses prêts seront vérifiés dès que le réseau reviendra.'

const words: Record<Verdict['colour'], { tone: Tone; word: string }> = {
  green: { tone: 'good', word: mayBorrow },
  amber: { tone: 'warn', word: 'À vérifier' },
  red: { tone: 'bad', word: 'Ne peut pas emprunter' },
}

/** Whether somebody may borrow: a colour, an icon and a word together. `except` names what may not be. */
export function VerdictTag({ verdict, except }: { verdict: Verdict; except?: readonly string[] }) {
  const { tone, word } = words[verdict.colour]
  const but = except && except.length > 2 ? `${except.length} supports` : except?.join(', ')
  return <StatusTag tone={tone}>{but ? `${word}, sauf ${but}` : word}</StatusTag>
}

/** Why, one sentence a line. */
export function VerdictReasons({ reasons }: { reasons: readonly string[] }) {
  return reasons.map((reason) => (
    <Text key={reason} size="sm" c="dimmed">
      {reason}
    </Text>
  ))
}
