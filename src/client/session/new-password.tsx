import { PasswordInput } from '@mantine/core'
import { type Ref } from 'react'

const shortest = 10

export type NewPassword = { first: string; second: string }
export type NewPasswordFaults = Partial<NewPassword>

/** What can be told before the server looks; whether it is a common one, only the server knows. */
export function faultsOfNewPassword({ first, second }: NewPassword): NewPasswordFaults {
  if (Array.from(first).length < shortest)
    return { first: `Le mot de passe doit compter au moins ${shortest} caractères.` }
  return first === second ? {} : { second: 'Les deux saisies sont différentes.' }
}

type NewPasswordFieldsProps = {
  value: NewPassword
  faults: NewPasswordFaults
  onChange: (value: NewPassword) => void
  firstRef?: Ref<HTMLInputElement>
  secondRef?: Ref<HTMLInputElement>
}

/** A new password, typed twice, with its rule in sight. The library's password field does not say by itself that it is invalid. */
export function NewPasswordFields({ value, faults, onChange, firstRef, secondRef }: NewPasswordFieldsProps) {
  const field = { autoComplete: 'new-password', maxLength: 200 } as const
  return (
    <>
      <PasswordInput
        {...field}
        {...(firstRef ? { ref: firstRef } : {})}
        label="Nouveau mot de passe"
        description={`Au moins ${shortest} caractères, et pas l’un des plus courants. Une phrase convient très bien.`}
        name="new-password"
        enterKeyHint="next"
        value={value.first}
        error={faults.first}
        aria-invalid={faults.first !== undefined}
        onChange={(event) => onChange({ ...value, first: event.currentTarget.value })}
      />
      <PasswordInput
        {...field}
        {...(secondRef ? { ref: secondRef } : {})}
        label="Le même, une seconde fois"
        name="new-password-again"
        enterKeyHint="done"
        value={value.second}
        error={faults.second}
        aria-invalid={faults.second !== undefined}
        onChange={(event) => onChange({ ...value, second: event.currentTarget.value })}
      />
    </>
  )
}
