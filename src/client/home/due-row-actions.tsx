import { useCallbackRef } from '@mantine/hooks'
import { IconArrowBackUp, IconCalendarPlus, IconMail, IconMessage2 } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'

import { remindBeneficiary } from '../../contract/beneficiaries.ts'
import type { Loan } from '../../contract/loans.ts'
import { useChange } from '../api/queries.ts'
import { mailFailure } from '../loans/mail-failure.ts'
import { nothingNoted } from '../lending/return-fields.tsx'
import { useGiveBack } from '../lending/use-give-back.ts'
import { useToday } from '../loans/use-today.ts'
import { useRight } from '../api/session.ts'
import { say } from '../page/messages.ts'
import type { RowAction } from '../ui/row-actions.ts'
import type { DueRow } from './due-data.ts'

const DelayDialog = lazy(() => import('../loans/delay-dialog.tsx'))
const ExtendDialog = lazy(() => import('../loans/extend-dialog.tsx'))

/** The home's actions on loans, made once a table; render `dialog` once. */
export function useDueActions(): { actions: readonly RowAction<DueRow>[]; dialog: ReactNode } {
  const mayReturn = useRight('LOANING_RETURN')
  const mayEdit = useRight('LOANING_EDIT')
  const mayWrite = useRight('SEND_MAIL')
  const [open, setOpen] = useState<{ verb: 'extend' | 'delay'; loan: Loan } | null>(null)
  const { takeBack, dialog } = useGiveBack()
  const today = useToday()
  const { mutateAsync: remind } = useChange(remindBeneficiary)
  const giveBack = useCallbackRef(({ held }: DueRow) => takeBack([{ loan: held, note: nothingNoted }]))
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
    dialog: (
      <>
        {dialog}
        <Suspense fallback={null}>
          {open?.verb === 'extend' ? <ExtendDialog loan={open.loan} onClose={close} /> : null}
          {open?.verb === 'delay' ? <DelayDialog loan={open.loan} onClose={close} /> : null}
        </Suspense>
      </>
    ),
  }
}
