import { ActionIcon, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import styles from './reservation-form.module.css'
import { inWords } from '../page/house-words.ts'

type ChosenOneProps = {
  /** « Lecteur »: what it is, before its name. */
  label: string
  name: string
  detail?: string | null
  picture?: ReactNode
  error?: string | undefined
  /** What another choice is called; without it, it is not changed here. */
  changeLabel?: string | undefined
  onChange?: (() => void) | undefined
  children?: ReactNode
}

/** Who or what was chosen, and the way to choose another. */
export function ChosenOne(props: ChosenOneProps) {
  const { name, detail, picture, error, changeLabel, onChange, children } = props
  const label = inWords(props.label)
  return (
    <div role="group" aria-label={label}>
      <Text size="sm" c="dimmed" aria-hidden mb="0.25rem">
        {label}
      </Text>
      <div className={styles['chosen']}>
        {picture}
        <div className={styles['named']}>
          <Text fw={600}>{name}</Text>
          {detail ? (
            <Text size="sm" c="dimmed">
              {detail}
            </Text>
          ) : null}
          {children}
        </div>
        {changeLabel === undefined ? null : (
          <ActionIcon aria-label={changeLabel} title={changeLabel} onClick={onChange} c="dimmed">
            <IconX size="1.2rem" aria-hidden />
          </ActionIcon>
        )}
      </div>
      {error === undefined ? null : (
        <Text size="sm" c="var(--bad-ink)" role="alert" mt="xs">
          {error}
        </Text>
      )}
    </div>
  )
}
