import { Button, Group, SimpleGrid, Switch, Text, TextInput } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useState } from 'react'

import { media, type MediumSettings } from '../../contract/media.ts'
import { getConditions, uploadConditions } from '../../contract/medium-changes.ts'
import type { Site } from '../../contract/sites.ts'
import { mediumFileNotSaved } from '../../domain/sentences/lists.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { useChange } from '../api/queries.ts'
import { say, sayError, uploadErrorMs } from '../page/messages.ts'
import { FileField } from '../ui/forms/file-field.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { keptBeside } from '../ui/forms/kept-beside.ts'
import { saveFile } from '../ui/save-file.ts'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { bodyOf, changesOf, faultsOf, fieldsOf, type MediumFields, type MediumForm } from './medium-form.ts'
import { Codes, Eligibility, Limits, Penalties, Section, TermsOfLoan } from './medium-sections.tsx'
import { inWords } from '../page/house-words.ts'

/** A new medium that was saved without its file comes back with that file, to try again. */
export type EditedMedium = { medium: MediumSettings | null; files?: readonly File[]; fault?: string }

type MediumDialogProps = {
  edited: EditedMedium
  sites: readonly Site[]
  onSaved: (medium: MediumSettings) => void
  onFileRefused: (edited: EditedMedium) => void
  onClose: () => void
}

export function MediumDialog({ edited, sites, onSaved, onFileRefused, onClose }: MediumDialogProps) {
  const { medium } = edited
  const [files, setFiles] = useState(edited.files ?? [])
  const [fault, setFault] = useState(edited.fault ?? null)
  const [isTakenAway, setTakenAway] = useState(false)
  const add = useChange(media.add)
  const change = useChange(media.change)
  const upload = useChange(uploadConditions)
  const [initial] = useState(() => fieldsOf(medium, sites))

  const save = (values: MediumFields): Promise<MediumSettings> => {
    const body = bodyOf(values, medium, sites)
    if (!medium) return add.mutateAsync({ body })
    const changed = changesOf(body, bodyOf(initial, medium, sites))
    const withoutFile = isTakenAway && files.length === 0 ? { loaning_conditions_file: null } : {}
    return change.mutateAsync({ params: { id: medium.id }, body: { ...changed, ...withoutFile } })
  }
  const form: MediumForm = useLocalForm<MediumFields, { saved: MediumSettings; problem: unknown }>({
    about: `medium ${medium?.id ?? 'new'}`,
    initial,
    check: (values) => faultsOf(values, bodyOf(values, medium, sites)),
    act: async (values) => {
      const saved = await save(values)
      const [file] = files
      if (!file) return { saved, problem: null }
      return upload.mutateAsync({ params: { id: saved.id }, file }).then(
        (whole) => ({ saved: whole, problem: null }),
        (problem: unknown) => ({ saved, problem }),
      )
    },
    onDone: ({ saved, problem }) => {
      if (problem === null) return onSaved(saved)
      const said =
        problem instanceof CallError ? `${mediumFileNotSaved} ${problem.message}` : mediumFileNotSaved
      say(said, 'bad', { ms: uploadErrorMs })
      if (medium) setFault(said)
      else onFileRefused({ medium: saved, files, fault: said })
    },
  })
  const file = isTakenAway ? null : (medium?.loaning_conditions_file ?? null)
  return (
    <FormDialog
      title={medium ? 'Modifier le support' : 'Ajouter un support'}
      size="48rem"
      form={keptBeside(form, {
        isDirty: files.length > 0 || isTakenAway,
        kept: { files, isTakenAway },
        restore: (kept) => {
          setFiles(kept.files)
          setTakenAway(kept.isTakenAway)
        },
      })}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput required maxLength={100} {...form.text('name', 'Nom')} />
        <TextInput maxLength={50} {...form.text('code', 'Code')} />
      </SimpleGrid>
      <TermsOfLoan form={form} />
      <Limits form={form} />
      <Penalties form={form} />
      <Section
        title={inWords('Conditions de prêt')}
        about={inWords('Ce que le lecteur accepte en empruntant, et le fichier qui le dit.')}
      >
        <Switch {...form.flag('loaning_conditions_enabled', 'Ce support a des conditions de prêt')} />
        <TextInput maxLength={500} {...form.text('loaning_conditions_label', 'Libellé des conditions')} />
        {medium && file ? <KeptFile medium={medium} onTakeAway={() => setTakenAway(true)} /> : null}
        <FileField
          label={file ? 'Autre fichier' : 'Fichier des conditions'}
          rules={{ kind: 'pdf' }}
          files={files}
          onChange={(chosen) => {
            setFault(null)
            setFiles(chosen)
          }}
          error={fault}
        />
      </Section>
      <Eligibility form={form} />
      <Section title={inWords('Réservation en ligne')}>
        <Switch {...form.flag('online_booking_enabled', 'Peut être réservé sur le site internet')} />
      </Section>
      <Codes form={form} sites={sites} />
    </FormDialog>
  )
}

function KeptFile({ medium, onTakeAway }: { medium: MediumSettings; onTakeAway: () => void }) {
  const open = () =>
    call(getConditions, { params: { id: medium.id }, query: {} }).then(saveFile, (error: unknown) =>
      sayError(error, 'Le fichier n’a pas pu être lu.'),
    )
  return (
    <Group gap="xs">
      <IconFileTypePdf size="1.4em" aria-hidden />
      <Text>Un fichier est joint.</Text>
      <Button variant="subtle" onClick={() => void open()}>
        Télécharger
      </Button>
      <Button variant="subtle" color="red" onClick={onTakeAway}>
        Retirer
      </Button>
    </Group>
  )
}
