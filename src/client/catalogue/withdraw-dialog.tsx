import { Autocomplete, Text } from '@mantine/core'

import type { Copy } from '../../contract/catalogue.ts'
import { removeCopy } from '../../contract/copies.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { counted } from '../ui/words.ts'
import { inWords } from '../page/house-words.ts'

type WithdrawDialogProps = {
  copies: readonly Copy[]
  onClose: () => void
  onConfirm: (reason: string) => Promise<unknown>
}

/** Asks why copies leave the stock, which yearly reports count. */
export default function WithdrawDialog({ copies, onClose, onConfirm }: WithdrawDialogProps) {
  const form = useLocalForm({
    about: `withdrawal of copies ${copies.map(({ id }) => id).join()}`,
    initial: { reason: '' },
    schema: removeCopy.query,
    act: ({ reason }) => onConfirm(reason.trim()),
    onDone: onClose,
  })
  const { value, error, label } = form.text('reason', 'Motif (facultatif)')
  const [only] = copies.length === 1 ? copies : []
  return (
    <FormDialog
      title={only ? `Retirer l’exemplaire ${only.bar_code}` : `Retirer ${count(copies)} du fonds`}
      acts="destroys"
      submitLabel="Retirer"
      form={form}
      onClose={onClose}
    >
      {only ? (
        <Text>
          «&nbsp;{only.name}
          {inWords(
            '\u00a0»\u202f: cet exemplaire ne se prêtera plus. Ses prêts passés restent, et son code-barres pourra servir à un autre.',
          )}
        </Text>
      ) : (
        <Text>
          {inWords(
            'Ces exemplaires ne se prêteront plus. Leurs prêts passés restent, et leurs codes-barres pourront servir à d’autres.',
          )}
        </Text>
      )}
      <Autocomplete
        label={label}
        value={value}
        error={error}
        maxLength={200}
        data={['Perdu', 'Abîmé', 'Désherbé', 'Donné', 'Vendu']}
        onChange={(reason) => form.write('reason', reason)}
      />
    </FormDialog>
  )
}

const count = ({ length }: readonly Copy[]) => counted(length, 'exemplaire', 'exemplaires')
