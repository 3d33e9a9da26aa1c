import '@mantine/core/styles/List.css'

import { Button, Checkbox, List, Stack, Text } from '@mantine/core'
import { useCallback, useState } from 'react'

import { frenchMoney, sumOfMoney } from '../../domain/money.ts'
import type { Penalty } from '../../domain/loan-rules.ts'
import { openDaysCounted } from '../loans/penalty-words.ts'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { useQuestions } from '../ui/use-questions.ts'
import { counted } from '../ui/words.ts'
import { inWords } from '../page/house-words.ts'

export type PenaltyLine = {
  key: string
  title: string
  days_late: number
  penalty: Penalty
  open_days_only: boolean
}
/** Penalties are kept, or waived; null is not to return at all. */
export type PenaltyAnswer = 'keep' | 'waive' | null

/** Asks, before late loans are taken back, whether their penalties are kept. Render `dialog` once. */
export function usePenaltyDialog() {
  const { asked, isOpen, ask, settle: answer } = useQuestions<readonly PenaltyLine[], PenaltyAnswer>()
  const askOfLate = useCallback(
    (late: readonly PenaltyLine[]): Promise<PenaltyAnswer> =>
      late.length === 0 ? Promise.resolve('keep') : ask(late),
    [ask],
  )
  const dialog = (
    <PenaltyDialog
      key={asked?.turn ?? 0}
      lines={asked?.question ?? []}
      isOpen={isOpen}
      onSettle={(settled) => asked && answer(asked.turn, settled)}
    />
  )
  return { ask: askOfLate, dialog }
}

type PenaltyDialogProps = {
  lines: readonly PenaltyLine[]
  isOpen: boolean
  onSettle: (answer: PenaltyAnswer) => void
}

function PenaltyDialog({ lines, isOpen, onSettle }: PenaltyDialogProps) {
  const [isWaived, setWaived] = useState(false)
  const total = sumOfMoney(lines.map(({ penalty }) => penalty.penalty_amount))
  const giveUp = () => onSettle(null)
  return (
    <Dialog isOpen={isOpen} onClose={giveUp} title="Pénalités de retard" acts="sends">
      <Stack>
        <List spacing="xs">
          {lines.map(({ key, title, ...late }) => (
            <List.Item key={key}>
              <Text span fw={600}>
                {title}
              </Text>
              <br />
              {delayWords(late)}, {frenchMoney(late.penalty.penalty_amount)}
            </List.Item>
          ))}
        </List>
        {lines.length > 1 ? <Text fw={600}>{`Total\u202f: ${frenchMoney(total)}`}</Text> : null}
        <Checkbox
          label={lines.length > 1 ? inWords('Lever les pénalités') : inWords('Lever la pénalité')}
          checked={isWaived}
          onChange={(event) => setWaived(event.currentTarget.checked)}
        />
        <DialogButtons onCancel={giveUp}>
          <Button onClick={() => onSettle(isWaived ? 'waive' : 'keep')}>Valider</Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

/** The days of grace are late too, though they are not counted. */
function delayWords({ days_late, penalty, open_days_only }: Omit<PenaltyLine, 'key' | 'title'>): string {
  const late = counted(days_late, 'jour de retard', 'jours de retard')
  const counts = penalty.penalty_duration
  if (open_days_only) return `${late}, ${openDaysCounted(counts)}`
  return counts === days_late ? late : `${late}, ${counted(counts, 'jour compté', 'jours comptés')}`
}
