import { Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

import { likelyCode } from '../../domain/bar-code.ts'
import type { SettleChoice } from '../../domain/settle-choice-codes.ts'
import { choiceOf } from '../../domain/settle-choices.ts'
import type { Entry } from '../../offline/entry.ts'
import type { Settling } from '../../offline/settle-entry.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { MotiveDialog } from '../ui/forms/motive-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { whatOf } from '../outbox/entry-words.ts'
import { settleHints } from './settle-words.ts'
import { inWords } from '../page/house-words.ts'

type SettleDialogProps = {
  entry: Entry
  choice: SettleChoice
  onConfirm: (settling: Settling) => unknown
  onClose: () => void
}

/** Rendered while open. */
export function SettleDialog({ entry, choice, onConfirm, onClose }: SettleDialogProps) {
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
        of={entry.id}
        acts="sends"
        missing="Écrivez pourquoi."
        onClose={onClose}
        onConfirm={(motive) => onConfirm({ choice, motive })}
      >
        {about}
      </MotiveDialog>
    )
  }
  const common = { act: label, of: entry.id, about, onClose }
  const code = { type: 'text', initially: '', clean: likelyCode, takesScans: true } as const
  if (need === 'bar_code') {
    return (
      <OneFieldDialog
        {...common}
        {...code}
        label={inWords('Code-barres de l’exemplaire')}
        missing={inWords('Scannez ou saisissez le code-barres.')}
        onConfirm={(bar_code) => onConfirm({ choice, bar_code })}
      />
    )
  }
  if (need === 'beneficiary_code') {
    return (
      <OneFieldDialog
        {...common}
        {...code}
        label={inWords('Carte ou matricule du lecteur')}
        missing={inWords('Scannez la carte du lecteur, ou saisissez son matricule.')}
        onConfirm={(beneficiary_code) => onConfirm({ choice, beneficiary_code })}
      />
    )
  }
  return (
    <OneFieldDialog
      {...common}
      label="Date et heure"
      missing="Indiquez une date et une heure."
      type="datetime-local"
      initially={localInstant(likelyInstant(entry))}
      onConfirm={(local) => onConfirm({ choice, happened_at: new Date(local).toISOString() })}
    />
  )
}

const trimmed = (typed: string): string => typed.trim()

type OneFieldDialogProps = {
  act: string
  of: string
  about: ReactNode
  label: string
  missing: string
  type: 'text' | 'datetime-local'
  initially: string
  clean?: (typed: string) => string
  /** A scan fills the field, but only the person confirms. */
  takesScans?: boolean
  onConfirm: (value: string) => unknown
  onClose: () => void
}

function OneFieldDialog(props: OneFieldDialogProps) {
  const {
    act,
    of,
    about: shown,
    label,
    missing,
    type,
    initially,
    clean = trimmed,
    takesScans = false,
  } = props
  const { onConfirm, onClose } = props
  const form = useLocalForm({
    about: `${act} ${of}`,
    initial: { value: initially },
    check: ({ value }) => (clean(value) === '' ? { value: missing } : {}),
    act: ({ value }) => onConfirm(clean(value)),
  })
  const takeScan = (code: string) => form.write('value', code)
  return (
    <FormDialog
      title={act}
      form={form}
      submitLabel={act}
      onClose={onClose}
      {...(takesScans ? { onScan: takeScan } : {})}
    >
      {shown}
      <TextInput type={type} required maxLength={64} autoComplete="off" {...form.text('value', label)} />
    </FormDialog>
  )
}

/** Corrected where the device's clock was off. */
const likelyInstant = ({ problem, occurred_at }: Entry): Date =>
  new Date(problem?.facts?.corrected_at ?? occurred_at)

/** `YYYY-MM-DDTHH:mm` in the device's zone, as the field requires. */
const localInstant = (instant: Date): string =>
  new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
