import { Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

import { likelyCode } from '../../domain/bar-code.ts'
import type { SettleChoice } from '../../domain/settle-choice-codes.ts'
import { choiceOf } from '../../domain/settle-choices.ts'
import type { Entry } from '../../offline/entry.ts'
import type { Settling } from '../../offline/settle-entry.ts'
import { whatOf } from '../outbox/entry-words.ts'
import { inWords } from '../page/house-words.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { MotiveDialog } from '../ui/forms/motive-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'

export const settleHints: Record<SettleChoice, string> = {
  ALREADY_RECORDED: 'Le serveur l’a déjà\u202f: rien d’autre n’est écrit.',
  CLOSE_AND_LEND: 'L’autre prêt est rendu à l’heure de celui-ci, puis celui-ci est enregistré.',
  NOT_HANDED_OVER: 'Le lecteur n’est pas parti avec\u202f: aucun prêt n’est enregistré.',
  SEEN_ON_SHELF: 'L’exemplaire est bien là\u202f: sa présence est notée.',
  IGNORE: 'Rien n’est changé\u202f; la décision est notée.',
  KEEP_NEWER: 'Le prêt plus récent reste en cours\u202f; ce retour-ci est seulement noté.',
  RETURN_FOR_HOLDER: 'L’exemplaire est là\u202f: le prêt que le serveur connaît est rendu.',
  SET_ASIDE_FOR_READER: 'L’exemplaire n’est pas prêté et attend le lecteur qui l’a réservé.',
  LEND_DESPITE_RESERVATION: 'Le prêt est enregistré, la réservation reste en attente.',
  OVERRIDE: 'Le prêt est enregistré avec votre motif.',
  LEND_WITHIN_BOUNDS:
    'Le prêt est enregistré\u202f; ce qui dépasse les limites est ramené aux règles du support, et signalé.',
  RECALL: 'Il est parti avec\u202f: le prêt est enregistré, à rendre aujourd’hui, et les rappels suivront.',
  LINK_LEND: 'Le prêt est enregistré pour l’exemplaire que vous désignez.',
  LINK_READER: 'Le prêt est enregistré pour le lecteur que vous désignez.',
  LINK_RETURN: 'Le retour est enregistré pour l’exemplaire que vous désignez.',
  RECORD_UNKNOWN_RETURN: 'Le retour est noté au journal, pour être rattaché plus tard.',
  DATE_LEND: 'Le prêt est enregistré à la date que vous dites.',
  DATE_RETURN: 'Le retour est enregistré à la date que vous dites.',
}

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
