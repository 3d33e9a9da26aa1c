import { Button, Group, Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconArrowBackUp, IconCalendarPlus, IconMail, IconMessage2 } from '@tabler/icons-react'
import { createContext, lazy, type ReactNode, Suspense, useContext, useMemo, useState } from 'react'

import { remindBeneficiary } from '../../contract/beneficiaries.ts'
import type { Loan } from '../../contract/loans.ts'
import { heldKey } from '../../offline/open-loans.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import type { HeldLoan } from '../loans/held-loan.ts'
import { mailFailure } from '../loans/mail-failure.ts'
import { usePenaltyTold } from '../loans/penalties.ts'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'
import { say } from '../page/messages.ts'
import { backToScanning } from '../ui/focus-place.ts'
import { showAtOnce } from '../ui/in-sight.ts'
import type { RowAction } from '../ui/lists/row-actions.ts'
import type { DueRow } from './due-data.ts'
import { returnFromRow } from './return-from-row.tsx'

const DelayDialog = lazy(() => import('../loans/delay-dialog.tsx'))
const ExtendDialog = lazy(() => import('../loans/extend-dialog.tsx'))

/** A late loan whose return costs something, which its row tells before it is recorded; `words` null until it is known. */
type AskedPenalty = {
  loan: HeldLoan
  words: string | null
  onSettle: (answer: 'keep' | 'waive' | null) => void
}

const Asked = createContext<AskedPenalty | null>(null)
export const AskedPenaltyProvider = Asked.Provider

function askAtOnce(question: HTMLElement | null): void {
  showAtOnce(question)
  // Not on a button, which a scan would press; who has begun to type in the box goes on there.
  const box = document.querySelector<HTMLInputElement>('[data-scanning] input')
  if (!box?.value) question?.focus({ preventScroll: true })
}

/** On the row that it is asked of: no dialog, so that the counter's box keeps the scans. */
export function PenaltyOfRow({ held }: Pick<DueRow, 'held'>) {
  const asked = useContext(Asked)
  if (asked === null || heldKey(asked.loan) !== heldKey(held)) return null
  const { words, onSettle } = asked
  if (words === null)
    return (
      <Text size="sm" c="dimmed" role="status">
        {inWords('Pénalité\u202f: recherche…')}
      </Text>
    )
  return (
    <div ref={askAtOnce} role="group" tabIndex={-1} aria-label={`Pénalité de retard\u202f: ${held.title}`}>
      <Text size="sm" c="var(--warn-ink)" role="alert">
        {`Pénalité\u202f: ${words}`}
      </Text>
      <Group gap="xs" py="xs">
        <Button px="sm" onClick={() => onSettle('keep')}>
          {inWords('Rendre')}
        </Button>
        <Button variant="default" px="sm" onClick={() => onSettle('waive')}>
          {inWords('Rendre et lever la pénalité')}
        </Button>
        <Button variant="subtle" px="sm" onClick={() => onSettle(null)}>
          Annuler
        </Button>
      </Group>
    </div>
  )
}

function record(loan: HeldLoan, is_waived = false): void {
  returnFromRow(loan, is_waived)
  backToScanning()
}

/** The home's actions on loans, made once a table; render `dialog` once, and its rows under `asked`. */
export function useDueActions(): {
  actions: readonly RowAction<DueRow>[]
  dialog: ReactNode
  asked: AskedPenalty | null
} {
  const mayReturn = useRight('LOANING_RETURN')
  const mayEdit = useRight('LOANING_EDIT')
  const mayWrite = useRight('SEND_MAIL')
  const [open, setOpen] = useState<{ verb: 'extend' | 'delay'; loan: Loan } | null>(null)
  const penaltyTold = usePenaltyTold()
  const [asked, setAsked] = useState<AskedPenalty | null>(null)
  const today = useToday()
  const { mutateAsync: remind } = useChange(remindBeneficiary)
  const giveBack = useCallbackRef(async ({ held: loan }: DueRow) => {
    const asks = penaltyTold(loan)
    if (asks === null) return record(loan)
    const onSettle: AskedPenalty['onSettle'] = (answer) => {
      setAsked(null)
      if (answer) record(loan, answer === 'waive')
      else backToScanning()
    }
    setAsked({ loan, words: null, onSettle })
    const penalty = await asks.finally(() =>
      setAsked((before) => (before?.onSettle === onSettle ? null : before)),
    )
    if (penalty) setAsked({ loan, words: penalty.words, onSettle })
    else record(loan)
  })
  const write = useCallbackRef(async ({ held: { beneficiary_id: id, beneficiary_name: about } }: DueRow) => {
    try {
      // Home is there before its words of mails are.
      const { oneMail, sayMailed } = await import('../mail/say-mailed.ts')
      await remind({ params: { id }, gesture: `${id} ${today}` })
      await sayMailed(oneMail, { about })
    } catch (error) {
      say(mailFailure(error), 'bad')
    }
  })
  const actions = useMemo(() => {
    const isHere = ({ returning }: DueRow) => returning === null
    const isTold = (row: DueRow) => isHere(row) && row.loan !== null
    const openOn =
      (verb: 'extend' | 'delay') =>
      ({ loan }: DueRow) =>
        loan && setOpen({ verb, loan })
    const offered: readonly (RowAction<DueRow> & { isOffered: boolean })[] = [
      {
        key: 'return',
        label: 'Rendre',
        Icon: IconArrowBackUp,
        isOffered: mayReturn,
        may: isHere,
        run: giveBack,
        isMain: true,
      },
      {
        key: 'extend',
        label: 'Prolonger',
        Icon: IconCalendarPlus,
        isOffered: mayEdit,
        may: isTold,
        run: openOn('extend'),
      },
      {
        key: 'delay',
        label: 'Commenter le retard',
        Icon: IconMessage2,
        isOffered: mayEdit,
        may: isTold,
        run: openOn('delay'),
      },
      {
        key: 'mail',
        label: 'Relancer',
        Icon: IconMail,
        isOffered: mayWrite,
        may: isTold,
        run: write,
      },
    ]
    return offered.filter(({ isOffered }) => isOffered)
  }, [mayReturn, mayEdit, mayWrite, giveBack, write])
  const close = () => setOpen(null)
  return {
    actions,
    asked,
    dialog: (
      <Suspense fallback={null}>
        {open?.verb === 'extend' ? <ExtendDialog loan={open.loan} onClose={close} /> : null}
        {open?.verb === 'delay' ? <DelayDialog loan={open.loan} onClose={close} /> : null}
      </Suspense>
    ),
  }
}
