import { useCallbackRef, useMediaQuery } from '@mantine/hooks'
import { IconArrowBackUp, IconCalendarPlus, IconMail, IconMessage2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useCallback, useRef, useState } from 'react'

import { remindBeneficiary } from '../../contract/beneficiaries.ts'
import type { Loan } from '../../contract/loans.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { useGestureKeys } from '../api/gesture-keys.ts'
import { DelayDialog } from '../loans/delay-dialog.tsx'
import { ExtendDialog } from '../loans/extend-dialog.tsx'
import { heldKey } from '../loans/held-loan.ts'
import { nothingNoted } from '../loans/return-fields.tsx'
import { useGiveBack } from '../loans/use-give-back.ts'
import { useToday } from '../loans/use-today.ts'
import { useRight } from '../session/session.ts'
import { say, sayError } from '../ui/messages.ts'
import { type RowAction, RowButtons } from '../ui/row-buttons.tsx'
import type { DueRow } from './due-data.ts'

type DueVerb = 'return' | 'extend' | 'delay' | 'mail'

const words: Record<DueVerb, Pick<RowAction, 'label' | 'Icon'>> = {
  return: { label: 'Rendre', Icon: IconArrowBackUp },
  extend: { label: 'Prolonger', Icon: IconCalendarPlus },
  delay: { label: 'Commenter le retard', Icon: IconMessage2 },
  mail: { label: 'Envoyer un courriel', Icon: IconMail },
}

/**
 * Comment on the delay, extend, return, write to the person: what the home offers on a loan (file 1, « Home »). Asked for once by a
 * table, not by each of its rows. `actionsOf` stays the same function as long as its rows would look the same. Render `dialog` once.
 */
export function useDueActions(): { actionsOf: (row: DueRow) => ReactNode; dialog: ReactNode } {
  const mayReturn = useRight('LOANING_RETURN')
  const mayEdit = useRight('LOANING_EDIT')
  const mayWrite = useRight('SEND_MAIL')
  // On a tablet or a phone the first one and a menu, so that the title keeps its room.
  const isDesktop = useMediaQuery('(min-width: 1200px)', window.innerWidth >= 1200)
  const [open, setOpen] = useState<{ verb: 'extend' | 'delay'; loan: Loan } | null>(null)
  const { takeBack, dialog } = useGiveBack()
  const today = useToday()
  const once = useGestureKeys()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ held: { beneficiary_id: id } }: DueRow) =>
      once(`${id} ${today}`, (key) => call(remindBeneficiary, { params: { id }, key })),
    onSuccess: () => say("L'email a bien été envoyé."),
    onError: (error) =>
      error instanceof CallError && error.isNoNetwork
        ? sayError(error)
        : say("Une erreur est survenue. Vérifiez que l'email du bénéficiaire est valide.", 'bad'),
  })
  const returned = useRef(new Set<string>())
  /** Pressed twice, it is taken back once; a person who gives up before a penalty may ask again. */
  const returnOnce = async ({ held }: DueRow) => {
    const key = heldKey(held)
    if (returned.current.has(key)) return
    returned.current.add(key)
    await takeBack([{ loan: held, note: nothingNoted }]).finally(() => returned.current.delete(key))
  }
  const run = useCallbackRef((verb: DueVerb, row: DueRow) => {
    if (verb === 'return') void returnOnce(row)
    else if (verb === 'mail') mutate(row)
    else if (row.loan) setOpen({ verb, loan: row.loan })
  })
  const written = isPending ? variables : null

  const actionsOf = useCallback(
    (row: DueRow) => {
      const { held, loan, returning } = row
      if (returning) return null
      const may: Record<DueVerb, boolean> = {
        return: mayReturn,
        extend: mayEdit && loan !== null,
        delay: mayEdit && loan !== null && held.late,
        mail: mayWrite && loan !== null && held.late,
      }
      const verbs = (Object.keys(words) as DueVerb[]).filter((verb) => may[verb])
      return (
        <RowButtons
          title={held.title}
          actions={verbs.map((verb) => ({ key: verb, ...words[verb], run: () => run(verb, row) }))}
          icons={isDesktop || verbs.length < 3 ? verbs.length : 1}
          isPending={row === written}
        />
      )
    },
    [mayReturn, mayEdit, mayWrite, isDesktop, written, run],
  )
  const close = () => setOpen(null)
  return {
    actionsOf,
    dialog: (
      <>
        {dialog}
        {open?.verb === 'extend' ? <ExtendDialog loan={open.loan} onClose={close} /> : null}
        {open?.verb === 'delay' ? <DelayDialog loan={open.loan} onClose={close} /> : null}
      </>
    ),
  }
}
