import { ActionIcon, Text, TextInput, Title } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'

import { type EligibilityKind, renameEligibilityValue } from '../../contract/eligibility.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { CallError } from '../api/call-error.ts'
import { useChange } from '../api/queries.ts'
import { say } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, UnreadState } from '../ui/states.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { readerValuesQuery } from './reader-lists.ts'
import styles from './reader-view.module.css'
import { inWords } from '../page/house-words.ts'

type Value = { id: number; name: string }
type Renamed = AnswerOf<typeof renameEligibilityValue>

/** Paramètres, « Contrats, statuts et dossiers »: words that readers were given, renamed and merged. */
export default function ReaderValuesScreen() {
  const [renamed, setRenamed] = useState<Value | null>(null)
  // All at once, or the first one would push the others.
  const isComing = useQueries({ queries: kinds.map(([kind]) => readerValuesQuery(kind)) }).some(
    ({ isPending }) => isPending,
  )
  return (
    <Page title="Contrats, statuts et dossiers">
      <Text c="dimmed" maw="46rem">
        {inWords(
          'Ces mots viennent des fiches des lecteurs. Renommé, l’un d’eux l’est sur chaque fiche et dans chaque règle de prêt\u202f; sous le nom d’un autre, il s’y fond.',
        )}
      </Text>
      {isComing ? (
        <LoadingBlock height="24rem" />
      ) : (
        kinds.map(([kind, title, none]) => (
          <Values key={kind} kind={kind} title={title} none={none} onRename={setRenamed} />
        ))
      )}
      {renamed ? <RenameDialog key={renamed.id} value={renamed} onClose={() => setRenamed(null)} /> : null}
    </Page>
  )
}

const kinds: readonly (readonly [EligibilityKind, title: string, none: string])[] = [
  ['CONTRACT', 'Contrats', 'Aucun lecteur n’a de contrat.'],
  ['BENEFICIAIRE_STATUS', 'Statuts', 'Aucun lecteur n’a de statut.'],
  ['DOSSIER_TYPE', 'Dossiers', 'Aucun lecteur n’a de dossier.'],
]

type ValuesProps = {
  kind: EligibilityKind
  title: string
  none: string
  onRename: (value: Value) => void
}

function Values({ kind, title, none, onRename }: ValuesProps) {
  const { data, error, refetch } = useQuery(readerValuesQuery(kind))
  return (
    <section className="panel" aria-labelledby={`values-${kind}`}>
      <Title order={2} size="h4" id={`values-${kind}`} mb="xs">
        {inWords(title)}
      </Title>
      {data ? (
        data.length === 0 ? (
          <EmptyState message={none} />
        ) : (
          <ul className={styles['values']}>
            {data.map((value) => (
              <li key={value.id}>
                <span>{value.name}</span>
                <ActionIcon aria-label={`Renommer\u202f: ${value.name}`} onClick={() => onRename(value)}>
                  <IconPencil size="1.2rem" aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )
      ) : (
        <UnreadState error={error} onRetry={refetch} height="8rem" />
      )}
    </section>
  )
}

/** Another's name makes one of two, and is asked about first. */
function RenameDialog({ value, onClose }: { value: Value; onClose: () => void }) {
  const confirm = useConfirm()
  const rename = useChange(renameEligibilityValue)
  const send = async (name: string, merge: boolean): Promise<Renamed | null> => {
    try {
      return await rename.mutateAsync({ params: { id: value.id }, body: { name, merge } })
    } catch (error) {
      if (merge || !(error instanceof CallError) || error.status !== 409) throw error
      const isMeant = await confirm({
        title: `Fondre «\u00a0${value.name}\u00a0» dans «\u00a0${name}\u00a0»`,
        message: `${error.message} Tous les lecteurs de l’un auront l’autre, et les deux ne se distingueront plus.`,
        acts: 'destroys',
      })
      return isMeant ? await send(name, true) : null
    }
  }
  const form = useLocalForm({
    about: `reader value ${value.id}`,
    initial: { name: value.name },
    schema: renameEligibilityValue.body,
    act: ({ name }) => send(name, false),
    onDone: (answer) => {
      if (answer === null) return
      say(changesSaved, 'good', { about: answer.name })
      onClose()
    },
  })
  return (
    <FormDialog title={`Renommer «\u00a0${value.name}\u00a0»`} form={form} onClose={onClose}>
      <TextInput required maxLength={100} autoComplete="off" {...form.text('name', 'Nom')} />
    </FormDialog>
  )
}
