import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { lazy, Suspense, useEffect } from 'react'

import { confirmSecondFactor, startSecondFactor } from '../../contract/second-factor.ts'
import { useChange } from '../api/queries.ts'
import { FormElement } from '../ui/forms/form-element.tsx'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { OwnPassword } from './own-password.tsx'
import styles from './second-factor.module.css'
import { SessionNote } from './session-note.tsx'

const QrCode = lazy(() => import('./qr-code.tsx'))

type SetUpFactorProps = {
  username: string
  /** With the recovery codes, which must then be shown. */
  onSet: (codes: string[]) => void
  onCancel?: () => void
}

/** The secret as a code to read and as text to type, then the proof that the telephone has it. */
export function SetUpFactor({ username, onSet, onCancel }: SetUpFactorProps) {
  // Another secret each time it is opened.
  const { mutate: start, data: started, error } = useChange(startSecondFactor)
  useEffect(() => start({}), [start])
  const form = useForm(confirmSecondFactor, {
    initial: { password: '', second_factor: '' },
    check: ({ password, second_factor }) => ({
      ...(second_factor?.trim() ? {} : { second_factor: 'Saisissez le code à six chiffres.' }),
      ...(password ? {} : { password: 'Saisissez votre mot de passe.' }),
    }),
    onSaved: ({ recovery_codes }) => onSet(recovery_codes),
  })
  if (error) return <ErrorState error={error} onRetry={() => start({})} />
  return (
    <FormElement form={form} beginsInField={onCancel !== undefined}>
      <Stack gap="md">
        <Text>
          Avec une application d’authentification (celle du téléphone, ou d’un gestionnaire de mots de passe),
          lisez ce code, ou tapez la clé.
        </Text>
        {started ? (
          <>
            <Suspense fallback={<LoadingBlock h="13rem" />}>
              <QrCode text={started.address} label="Code à lire avec l’application" />
            </Suspense>
            <Text ta="center">
              Clé{'\u202f'}:{' '}
              <span className={styles['code']}>{started.secret.replace(/(.{4})(?=.)/g, '$1 ')}</span>
            </Text>
          </>
        ) : (
          <LoadingBlock h="13rem" />
        )}
        {form.problem ? <SessionNote tone="bad">{form.problem}</SessionNote> : null}
        <TextInput
          name="one-time-code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          description="Les six chiffres que l’application montre maintenant."
          {...form.secret('second_factor', 'Code de l’application')}
        />
        <OwnPassword username={username} {...form.secret('password', 'Mot de passe actuel')} />
        <Text size="sm" c="dimmed">
          Vos sessions ouvertes sur d’autres appareils prendront fin.
        </Text>
        <Group justify="flex-end" className={(onCancel && styles['foot']) || ''}>
          {onCancel ? (
            <Button variant="default" onClick={onCancel}>
              Annuler
            </Button>
          ) : null}
          <Button type="submit" loading={form.isPending} disabled={!started}>
            Confirmer
          </Button>
        </Group>
      </Stack>
    </FormElement>
  )
}
