import { Alert, Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

import { Dialog, DialogButtons, type DialogProps } from '../dialogs/dialog.tsx'
import { FormElement } from './form-element.tsx'
import styles from './form-dialog.module.css'
import type { Form } from './use-fields.ts'
import { inWords } from '../../page/house-words.ts'

type FormDialogProps = Pick<
  DialogProps,
  'title' | 'isNamed' | 'isOpen' | 'onClose' | 'acts' | 'onScan' | 'size'
> & {
  form: Pick<Form, 'ref' | 'submit' | 'draft' | 'restore' | 'isPending' | 'isDirty' | 'alert'>
  submitLabel?: string
  cancelLabel?: string
  children: ReactNode
}

/** A form over its list, rendered while open; errors stand above it. */
export function FormDialog({ form, submitLabel, cancelLabel, children, ...dialog }: FormDialogProps) {
  const { isPending, isDirty, alert } = form
  const { acts, onClose } = dialog
  return (
    // A press beside it would throw away what was written.
    <Dialog {...dialog} closeOnClickOutside={!isDirty}>
      <FormElement form={form} beginsInField={acts === undefined}>
        <Stack>
          {alert === null ? null : (
            <Alert color="red" variant="light" role="alert">
              {alert}
            </Alert>
          )}
          {children}
          <div className={styles['foot']}>
            <DialogButtons onCancel={onClose} {...(cancelLabel === undefined ? {} : { cancelLabel })}>
              <Button type="submit" loading={isPending} color={acts === 'destroys' ? 'red' : 'lamp'}>
                {inWords(submitLabel ?? 'Valider')}
              </Button>
            </DialogButtons>
          </div>
        </Stack>
      </FormElement>
    </Dialog>
  )
}
