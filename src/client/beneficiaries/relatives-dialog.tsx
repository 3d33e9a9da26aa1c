import { ActionIcon, Alert, Button, Divider, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'

import type { Beneficiary } from '../../contract/beneficiaries.ts'
import { addRelative, removeRelative, updateRelative } from '../../contract/beneficiary-changes.ts'
import type { Relative } from '../../contract/relatives.ts'
import { fullName, ofName } from '../../domain/person-names.ts'
import { readerNumberSaved, relativeNotSaved } from '../../domain/sentences/readers.ts'
import { CallError } from '../api/call-error.ts'
import { useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { cardAdvice } from '../ui/bars-advice.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { Dialog, DialogButtons } from '../ui/dialogs/dialog.tsx'
import { FormElement } from '../ui/forms/form-element.tsx'
import { ScanField } from '../ui/forms/scan-field.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import styles from './reader-view.module.css'
import { inWords } from '../page/house-words.ts'

type RelativesDialogProps = { reader: Beneficiary; onClose: () => void }

/** Relatives added, removed and numbered; each line is kept by itself. Rendered while open. */
export function RelativesDialog({ reader, onClose }: RelativesDialogProps) {
  const [added, setAdded] = useState(0)
  return (
    <Dialog
      title={`${inWords('Proches')} ${ofName(fullName(reader))}`}
      isNamed
      size="30rem"
      onClose={onClose}
      closeOnClickOutside={false}
    >
      <Stack>
        {reader.relatives.length > 0 ? (
          <ul className={styles['relatives']}>
            {reader.relatives.map((relative) => (
              <li key={relative.id}>
                <RelativeLine reader={reader} relative={relative} />
              </li>
            ))}
          </ul>
        ) : null}
        {reader.relatives.length > 0 ? <Divider /> : null}
        <NewRelative key={added} reader={reader} onAdded={() => setAdded(added + 1)} />
        <DialogButtons onCancel={onClose} cancelLabel="Terminer" />
      </Stack>
    </Dialog>
  )
}

function RelativeLine({ reader, relative }: { reader: Beneficiary; relative: Relative }) {
  const confirm = useConfirm()
  const removing = useChange(removeRelative)
  const [was, setWas] = useState(relative.reader_id)
  const form = useForm(updateRelative, {
    initial: { number: relative.reader_id ?? '' },
    fixed: { was },
    params: { id: relative.id },
    staysOpen: true,
    despite: async (refusal) => {
      if (!(refusal instanceof CallError && refusal.reason === 'CHANGED_SINCE')) return null
      const isMeant = await confirm({
        title: `Garder votre numéro pour ${relative.name}\u202f?`,
        isNamed: true,
        message: refusal.message,
      })
      return isMeant ? { was: undefined } : null
    },
    onSaved: (saved) => {
      setWas(saved.reader_id)
      say(readerNumberSaved, 'good', { about: relative.name })
    },
  })
  const remove = async () => {
    const isMeant = await confirm({
      title: `Retirer ${relative.name}`,
      isNamed: true,
      message: `${relative.name} n’empruntera plus au nom ${ofName(fullName(reader))}. Ses prêts terminés gardent son nom.`,
      acts: 'destroys',
    })
    if (isMeant) await removing.mutateAsync({ params: { id: reader.id, relative: relative.id } })
  }
  const number = form.text('number', relative.name)
  return (
    <Stack gap="xs">
      <FormElement form={form} className={styles['relative'] ?? ''}>
        <ScanField
          {...number}
          {...cardAdvice(number.value)}
          label={relative.name}
          placeholder={inWords('Numéro de lecteur')}
          onScan={(code) => form.write('number', code)}
        />
        <Button type="submit" variant="default" loading={form.isPending} disabled={!form.isDirty}>
          Enregistrer
        </Button>
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={`Retirer ${relative.name}`}
          loading={removing.isPending}
          onClick={() => void remove().catch(sayError)}
        >
          <IconTrash size="1.2rem" aria-hidden />
        </ActionIcon>
      </FormElement>
      {form.error === null ? null : (
        <Alert color="red" variant="light" role="alert">
          {relativeNotSaved}
        </Alert>
      )}
    </Stack>
  )
}

function NewRelative({ reader, onAdded }: { reader: Beneficiary; onAdded: () => void }) {
  const form = useForm(addRelative, {
    initial: { firstname: '', lastname: '', reader_id: '' },
    params: { id: reader.id },
    onSaved: onAdded,
  })
  const number = form.text('reader_id', 'Numéro de lecteur')
  return (
    <FormElement form={form}>
      <Stack gap="sm">
        <Text fw={600}>{inWords('Ajouter un proche')}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput required maxLength={100} autoComplete="off" {...form.text('firstname', 'Prénom')} />
          <TextInput
            maxLength={100}
            autoComplete="off"
            placeholder={reader.lastname}
            {...form.text('lastname', 'Nom')}
          />
        </SimpleGrid>
        <ScanField
          {...number}
          {...cardAdvice(number.value)}
          onScan={(code) => form.write('reader_id', code)}
        />
        {form.problem === null ? null : (
          <Alert color="red" variant="light" role="alert">
            {form.problem}
          </Alert>
        )}
        <div>
          <Button type="submit" variant="light" loading={form.isPending} disabled={!form.isDirty}>
            Ajouter
          </Button>
        </div>
      </Stack>
    </FormElement>
  )
}
