import { PasswordInput } from '@mantine/core'
import type { Ref } from 'react'

import type { Faults, Form } from '../ui/forms/use-fields.ts'

const shortest = 10

/** Only the server knows whether a password is a common one. */
export function faultsOfNewPassword(field: string, password = '', again = ''): Faults {
  if (Array.from(password).length < shortest)
    return { [field]: `Le mot de passe doit compter au moins ${shortest} caractères.` }
  return password === again ? {} : { again: 'Les deux saisies sont différentes.' }
}

type NewPasswordFieldsProps<Field extends string> = {
  form: Pick<Form<Field | 'again'>, 'secret'>
  /** The second field is `again`. */
  field: Field
  firstRef?: Ref<HTMLInputElement>
}

export function NewPasswordFields<Field extends string>({
  form,
  field,
  firstRef = null,
}: NewPasswordFieldsProps<Field>) {
  const common = { autoComplete: 'new-password', maxLength: 200 } as const
  return (
    <>
      <PasswordInput
        {...common}
        ref={firstRef}
        description={`Au moins ${shortest} caractères, et pas l’un des plus courants. Une phrase convient très bien.`}
        name="new-password"
        enterKeyHint="next"
        {...form.secret(field, 'Nouveau mot de passe')}
      />
      <PasswordInput
        {...common}
        name="new-password-again"
        enterKeyHint="done"
        {...form.secret('again', 'Confirmez le mot de passe')}
      />
    </>
  )
}
