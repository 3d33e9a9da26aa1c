import { Text } from '@mantine/core'
import type { ComponentProps } from 'react'

import { FormDialog } from '../ui/forms/form-dialog.tsx'

type LoanDialogProps = Pick<ComponentProps<typeof FormDialog>, 'title' | 'form' | 'onClose' | 'children'> & {
  /** What the dialog is about, and whose it is. */
  loan: { reference_name: string; beneficiary_name: string }
}

/** A small form about one loan. */
export const LoanDialog = ({ loan, children, ...dialog }: LoanDialogProps) => (
  <FormDialog {...dialog}>
    <div>
      <Text fw={600}>{loan.reference_name}</Text>
      <Text c="dimmed">{loan.beneficiary_name}</Text>
    </div>
    {children}
  </FormDialog>
)
