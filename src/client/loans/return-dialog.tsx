import { useState } from 'react'

import type { Entry } from '../../offline/entry.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import type { HeldLoan } from './held-loan.ts'
import { LoanDialog } from './loan-dialog.tsx'
import { nothingNoted, ReturnFields } from './return-fields.tsx'
import { useGiveBack } from './use-give-back.ts'

type ReturnDialogProps = {
  loan: HeldLoan
  onClose: () => void
  /** The return is on the device; its line follows the entry. */
  onReturned?: (entry: Entry) => void
}

/** Takes one loan back, with its state and a comment; the penalty is asked about when there is one. Rendered while open. */
export function ReturnDialog({ loan, onClose, onReturned }: ReturnDialogProps) {
  const { takeBack, dialog } = useGiveBack()
  const [note, setNote] = useState(nothingNoted)
  const [isPending, setPending] = useState(false)
  const submit = async () => {
    setPending(true)
    const entries = await takeBack([{ loan, note }])
    setPending(false)
    const [entry] = entries ?? []
    if (!entry) return
    onReturned?.(entry)
    onClose()
  }
  return (
    <>
      <LoanDialog
        title={`Retour, prévu le ${frenchDay(loan.end_date)}`}
        loan={{ reference_name: loan.title, beneficiary_info: loan.beneficiary_info }}
        onClose={onClose}
        onSubmit={() => void submit()}
        isPending={isPending}
        submitLabel="Enregistrer le retour"
      >
        <ReturnFields left={loan.copy_state} note={note} onChange={setNote} />
      </LoanDialog>
      {dialog}
    </>
  )
}
