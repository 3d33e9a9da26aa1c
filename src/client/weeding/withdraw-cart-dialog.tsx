import { Alert, Select, Text } from '@mantine/core'

import { type CartLine, withdrawCart } from '../../contract/weeding.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { counted } from '../ui/words.ts'
import { reasonChoices } from './weeding-words.ts'

type WithdrawCartDialogProps = {
  /** Null for the whole cart. */
  chosen: readonly CartLine[] | null
  /** In the cart, and those of them that stay there. */
  count: number
  stopped: number
  onDone: () => void
  onClose: () => void
}

/** Asks where the copies go, which the register of what left tells for good. */
export function WithdrawCartDialog({ chosen, count, stopped, onDone, onClose }: WithdrawCartDialogProps) {
  const form = useForm(withdrawCart, {
    initial: {},
    about: chosen === null ? 'cart' : chosen.map(({ id }) => id).join(),
    ...(chosen === null ? {} : { fixed: { copies: chosen.map(({ id }) => id) } }),
    check: ({ reason }) => (reason ? {} : { reason: 'Dites où ils vont.' }),
    onSaved: () => {
      onClose()
      onDone()
    },
  })
  return (
    <FormDialog
      title={`Retirer ${counted(count - stopped, 'exemplaire', 'exemplaires')} du fonds`}
      acts="destroys"
      submitLabel="Retirer du fonds"
      form={form}
      onClose={onClose}
    >
      <Text>
        Ces exemplaires ne se prêteront plus. Leurs prêts passés restent, et tout s’annule d’un coup depuis
        «&nbsp;Désherbages faits&nbsp;».
      </Text>
      {stopped > 0 ? (
        <Alert color="yellow">
          {counted(
            stopped,
            'exemplaire est en prêt, en transfert ou réservé, et reste au panier.',
            'exemplaires sont en prêt, en transfert ou réservés, et restent au panier.',
          )}
        </Alert>
      ) : null}
      <Select
        {...form.choice('reason', 'Destination')}
        description="De ceux qui n’ont pas encore la leur"
        required
        allowDeselect={false}
        data={reasonChoices}
      />
    </FormDialog>
  )
}
