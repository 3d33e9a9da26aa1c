import { PasswordInput } from '@mantine/core'
import type { ComponentProps } from 'react'

/** Tells password managers whose password is asked for. */
export const PasswordOwner = ({ username }: { username: string }) => (
  <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
)

type OwnPasswordProps = ComponentProps<typeof PasswordInput> & { username: string }

export const OwnPassword = ({ username, ...field }: OwnPasswordProps) => (
  <>
    <PasswordOwner username={username} />
    <PasswordInput name="current-password" autoComplete="current-password" maxLength={200} {...field} />
  </>
)
