import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'

import { removeSecondFactor, renewRecoveryCodes } from '../../contract/second-factor.ts'
import { say } from '../page/messages.ts'
import { OwnPassword } from '../session/own-password.tsx'
import { RecoveryCodes } from '../session/recovery-codes.tsx'
import { SetUpFactor } from '../session/set-up-factor.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import type { Form } from '../ui/forms/use-fields.ts'
import { useForm } from '../ui/forms/use-form.ts'

type Props = { username: string; onClose: () => void }

export default function SecondFactorDialog({ what, ...props }: Props & { what: 'set' | 'renew' | 'remove' }) {
  const { username, onClose } = props
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) {
    // Only the button closes it: what is not kept now is lost.
    return (
      <Dialog
        title="Codes de secours"
        onClose={() => undefined}
        withCloseButton={false}
        closeOnClickOutside={false}
      >
        <RecoveryCodes codes={codes} username={username} onKept={onClose} />
      </Dialog>
    )
  }
  if (what === 'remove') return <RemoveDialog {...props} />
  if (what === 'renew') return <RenewDialog {...props} onRenewed={setCodes} />
  return (
    <Dialog title="Choisir un deuxième facteur" onClose={onClose} closeOnClickOutside={false}>
      <SetUpFactor username={username} onSet={setCodes} onCancel={onClose} />
    </Dialog>
  )
}

const initial = { password: '', second_factor: '' }
const check = ({ password, second_factor }: Partial<typeof initial>) => ({
  ...(password ? {} : { password: 'Saisissez votre mot de passe.' }),
  ...(second_factor?.trim() ? {} : { second_factor: 'Saisissez un code.' }),
})

function RemoveDialog({ username, onClose }: Props) {
  const form = useForm(removeSecondFactor, {
    initial,
    check,
    onSaved: () => {
      say('Deuxième facteur retiré.')
      onClose()
    },
  })
  return (
    <FormDialog title="Retirer le deuxième facteur" form={form} onClose={onClose} acts="destroys">
      <Text>
        Votre mot de passe suffira de nouveau. Vos sessions ouvertes sur d’autres appareils prendront fin.
      </Text>
      <BothProofs form={form} username={username} />
    </FormDialog>
  )
}

function RenewDialog({ username, onClose, onRenewed }: Props & { onRenewed: (codes: string[]) => void }) {
  const form = useForm(renewRecoveryCodes, {
    initial,
    check,
    onSaved: ({ recovery_codes }) => onRenewed(recovery_codes),
  })
  return (
    <FormDialog title="Nouveaux codes de secours" form={form} onClose={onClose}>
      <Text>Les codes de secours d’avant ne serviront plus.</Text>
      <BothProofs form={form} username={username} />
    </FormDialog>
  )
}

type BothProofsProps = { form: Pick<Form<'password' | 'second_factor'>, 'secret'>; username: string }

function BothProofs({ form: { secret }, username }: BothProofsProps) {
  return (
    <>
      <OwnPassword username={username} {...secret('password', 'Mot de passe actuel')} />
      <TextInput
        name="one-time-code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        maxLength={40}
        {...secret('second_factor', 'Code de l’application, ou de secours')}
      />
    </>
  )
}
