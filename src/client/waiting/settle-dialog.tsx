import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'

import { cleanScan } from '../../domain/bar-code.ts'
import { choiceOf, type SettleChoice } from '../../domain/settle-choices.ts'
import type { Entry } from '../../offline/entry.ts'
import type { Settling } from '../../offline/settle-entry.ts'
import { MotiveDialog } from '../ui/motive-dialog.tsx'
import { useReturnFocus } from '../ui/use-return-focus.ts'
import { whatOf } from './entry-words.ts'
import { settleHints } from './settle-words.ts'

type SettleDialogProps = {
  entry: Entry
  choice: SettleChoice
  onConfirm: (settling: Settling) => void
  onClose: () => void
}

/** Asks what a choice needs before it can be made: a motive, the copy that is meant, or a date. Rendered while open. */
export function SettleDialog({ entry, choice, onConfirm, onClose }: SettleDialogProps) {
  useReturnFocus()
  const { label, need } = choiceOf(choice)
  const about = (
    <div>
      <Text fw={600}>{entry.label.title}</Text>
      <Text>{whatOf(entry)}</Text>
      <Text c="dimmed">{settleHints[choice]}</Text>
    </div>
  )
  if (need === 'motive') {
    return (
      <MotiveDialog
        act={label}
        missing="Écrivez pourquoi."
        onClose={onClose}
        onConfirm={(motive) => onConfirm({ choice, motive })}
      >
        {about}
      </MotiveDialog>
    )
  }
  return (
    <Modal opened onClose={onClose} title={label}>
      <Stack>
        {about}
        {need === 'bar_code' ? (
          <OneField
            act={label}
            label="Code-barres de l’exemplaire"
            missing="Scannez ou saisissez le code-barres."
            type="text"
            initially=""
            onClose={onClose}
            clean={cleanScan}
            onConfirm={(bar_code) => onConfirm({ choice, bar_code })}
          />
        ) : (
          <OneField
            act={label}
            label="Date et heure"
            missing="Indiquez une date et une heure."
            type="datetime-local"
            initially={localInstant(likelyInstant(entry))}
            onClose={onClose}
            onConfirm={(local) => onConfirm({ choice, happened_at: new Date(local).toISOString() })}
          />
        )}
      </Stack>
    </Modal>
  )
}

const trimmed = (typed: string): string => typed.trim()

type OneFieldProps = {
  act: string
  label: string
  missing: string
  type: 'text' | 'datetime-local'
  initially: string
  /** What was typed as it is meant. */
  clean?: (typed: string) => string
  onConfirm: (value: string) => void
  onClose: () => void
}

function OneField({
  act,
  label,
  missing,
  type,
  initially,
  clean = trimmed,
  onConfirm,
  onClose,
}: OneFieldProps) {
  const [value, setValue] = useState(initially)
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const meant = clean(value)
    if (meant === '') setMissing(true)
    else onConfirm(meant)
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          label={label}
          type={type}
          required
          maxLength={64}
          value={value}
          onChange={(event) => {
            setValue(event.currentTarget.value)
            setMissing(false)
          }}
          error={isMissing ? missing : null}
          autoComplete="off"
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Annuler
          </Button>
          <Button type="submit">{act}</Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The device's instant, corrected where its clock was found to be off. */
function likelyInstant({ problem, occurred_at }: Entry): Date {
  const corrected = problem?.facts?.['corrected_at']
  return new Date(typeof corrected === 'string' ? corrected : occurred_at)
}

/** `YYYY-MM-DDTHH:mm` by the device's own zone, as the field wants it. */
const localInstant = (instant: Date): string =>
  new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
