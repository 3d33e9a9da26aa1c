import '@mantine/core/styles/List.css'

import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useCallback, useState } from 'react'

import { frenchMoney, sumOfMoney } from '../../domain/money.ts'
import type { Penalty } from '../../domain/loan-rules.ts'
import { useAnswer } from '../ui/use-answer.ts'
import { counted } from '../ui/words.ts'

export type PenaltyLine = { key: string; title: string; days_late: number; penalty: Penalty }
/** Penalties are kept, or waived; null is not to return at all. */
export type PenaltyAnswer = 'keep' | 'waive' | null

/** Asks, before late loans are taken back, whether their penalties are kept. Render `dialog` once. */
export function usePenaltyDialog() {
  const [lines, setLines] = useState<readonly PenaltyLine[]>([])
  const [isOpen, setOpen] = useState(false)
  const answer = useAnswer<PenaltyAnswer>(null)
  const { wait } = answer
  const ask = useCallback(
    (asked: readonly PenaltyLine[]): Promise<PenaltyAnswer> => {
      if (asked.length === 0) return Promise.resolve('keep')
      setLines(asked)
      setOpen(true)
      return wait()
    },
    [wait],
  )
  const settle = (settled: PenaltyAnswer) => {
    setOpen(false)
    answer.settle(settled)
  }
  const total = sumOfMoney(lines.map(({ penalty }) => penalty.penalty_amount))
  const dialog = (
    <Modal opened={isOpen} onClose={() => settle(null)} title="Pénalités de retard">
      <Stack>
        <List spacing="xs">
          {lines.map(({ key, title, days_late, penalty }) => (
            <List.Item key={key}>
              <Text span fw={600}>
                {title}
              </Text>
              <br />
              {delayWords(days_late, penalty)}, {frenchMoney(penalty.penalty_amount)}
            </List.Item>
          ))}
        </List>
        {lines.length > 1 ? <Text fw={600}>{`Total\u202f: ${frenchMoney(total)}`}</Text> : null}
        <Group justify="flex-end">
          <Button variant="subtle" onClick={() => settle(null)}>
            Annuler
          </Button>
          <Button variant="default" onClick={() => settle('waive')}>
            {lines.length > 1 ? 'Lever les pénalités' : 'Lever la pénalité'}
          </Button>
          <Button onClick={() => settle('keep')} data-autofocus>
            {lines.length > 1 ? 'Garder les pénalités' : 'Garder la pénalité'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
  return { ask, dialog }
}

/** The days of grace are late too, though they are not counted. */
const delayWords = (days_late: number, { penalty_duration: counts }: Penalty): string =>
  counted(days_late, 'jour de retard', 'jours de retard') +
  (counts === days_late ? '' : `, ${counted(counts, 'jour compté', 'jours comptés')}`)
