import '@mantine/core/styles/List.css'
import '@mantine/core/styles/NumberInput.css'

import { Alert, List, NumberInput, Text } from '@mantine/core'
import { useState } from 'react'

import { extendLoan, type Loan } from '../../contract/loans.ts'
import { unitsOf } from '../../domain/loan-rules.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { say } from '../page/messages.ts'
import { useLocalForm } from '../ui/use-local-form.ts'
import { counted } from '../ui/words.ts'
import { BoundsMotive } from './bounds-motive.tsx'
import { durationField } from './duration-field.ts'
import { type Extension, type FailedLoan, useExtendLoans } from './loan-data.ts'
import { sentenceOf } from './loan-errors.ts'

type ExtendSeveralDialogProps = { loans: readonly Loan[]; onClose: () => void }

/** Extends several loans by as many of their own units. Those that are refused stay, each with its reason. Rendered while open. */
export default function ExtendSeveralDialog({ loans, onClose }: ExtendSeveralDialogProps) {
  const extend = useExtendLoans()
  const [failed, setFailed] = useState<readonly FailedLoan[]>([])
  const left = failed.length > 0 ? failed.map(({ loan }) => loan) : loans
  const form = useLocalForm<Extension, FailedLoan[]>({
    initial: { duration_value: 1 },
    schema: extendLoan.body,
    act: (body) => extend(left, body),
    onDone: (refused) => {
      const extended = left.length - refused.length
      if (extended > 0) say(`${counted(extended, 'prêt prolongé', 'prêts prolongés')}.`)
      if (refused.length === 0) onClose()
      else setFailed(refused)
    },
  })
  return (
    <FormDialog title={`Prolonger ${counted(left.length, 'prêt', 'prêts')}`} form={form} onClose={onClose}>
      <NumberInput {...durationField} {...form.number('duration_value', `Prolonger de (${unitOf(left)})`)} />
      <BoundsMotive form={form} errors={failed.map(({ error }) => error)} />
      {failed.length > 0 ? (
        <Alert color="red" role="alert">
          <Text fw={600}>
            {failed.length > 1 ? 'N’ont pas été prolongés' : 'N’a pas été prolongé'}&#8239;:
          </Text>
          <List>
            {failed.map(({ loan, error }) => (
              <List.Item key={loan.id}>
                {loan.reference_name}&#8239;: {sentenceOf(error)}
              </List.Item>
            ))}
          </List>
        </Alert>
      ) : null}
    </FormDialog>
  )
}

/** The unit of the loans, where they have the same. */
function unitOf(loans: readonly Loan[]): string {
  const [type, ...others] = new Set(loans.map(({ duration_type }) => duration_type))
  return type !== undefined && others.length === 0 ? unitsOf(type) : 'unités de chaque prêt'
}
