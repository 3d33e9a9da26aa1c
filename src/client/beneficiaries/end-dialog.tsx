import { Alert, Text } from '@mantine/core'
import { useState } from 'react'

import { type Beneficiary } from '../../contract/beneficiaries.ts'
import { updateBeneficiary } from '../../contract/beneficiary-changes.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { fullName } from '../../domain/person-names.ts'
import { useChange } from '../api/queries.ts'
import { useToday } from '../loans/use-today.ts'
import { say } from '../page/messages.ts'
import { DateField } from '../ui/forms/date-field.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { counted } from '../ui/words.ts'
import { inWords } from '../page/house-words.ts'
import { ReaderChangedSince } from './reader-changed-since.tsx'

type EndDialogProps = { reader: Beneficiary; onClose: () => void }

/** Gives the day from which a reader no longer borrows. Rendered while open. */
export default function EndDialog({ reader, onClose }: EndDialogProps) {
  const today = useToday()
  const update = useChange(updateBeneficiary)
  const [version, setVersion] = useState(reader.version)
  const form = useLocalForm({
    about: `end of reader ${reader.id}`,
    initial: { exit_date: reader.exit_date ?? today },
    check: ({ exit_date }) => (exit_date === '' ? { exit_date: 'Donnez la date de sortie.' } : {}),
    act: ({ exit_date }) => update.mutateAsync({ params: { id: reader.id }, body: { exit_date, version } }),
    onDone: ({ exit_date }) => {
      say(exit_date ? `Inscription terminée le ${frenchDay(exit_date)}.` : 'Inscription reprise.', 'good', {
        about: fullName(reader),
      })
      onClose()
    },
  })
  const { open_loans, late_loans } = reader
  return (
    <FormDialog title="Mettre fin à l’inscription" form={form} onClose={onClose}>
      <ReaderChangedSince
        error={form.error}
        opened={reader}
        version={version}
        onTakeOver={setVersion}
        onGiveUp={onClose}
      />
      <div>
        <Text fw={600}>{fullName(reader)}</Text>
        <Text c="dimmed">
          {inWords('La fiche et l’historique restent. Plus aucun prêt à partir de ce jour.')}
        </Text>
      </div>
      {open_loans > 0 ? (
        <Alert color="yellow" role="note">
          {counted(open_loans, 'prêt reste', 'prêts restent')} à rendre
          {late_loans > 0 ? `, dont ${late_loans} en retard` : ''}.
        </Alert>
      ) : null}
      <DateField required {...form.day('exit_date', 'Date de sortie')} />
    </FormDialog>
  )
}
