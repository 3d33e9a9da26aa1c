import { Group, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'

import { forgetImport, getImport, type Import } from '../../contract/imports.ts'
import { importSubjectWords } from '../../domain/import-fields.ts'
import { oneQuery, useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { Page } from '../ui/page.tsx'
import { ErrorState } from '../ui/states.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { useUnsavedGuard } from '../ui/use-unsaved-guard.ts'
import { frenchInstant } from '../ui/words.ts'
import { ChoicesPanel } from './choices-panel.tsx'
import { CopyFields } from './copy-fields.tsx'
import { HowItIsRead } from './how-it-is-read.tsx'
import { ImportResult } from './import-result.tsx'
import { importState, isMoving, rowsWords } from './import-words.ts'
import styles from './imports.module.css'
import { MappingPanel } from './mapping-panel.tsx'
import { KnownFields } from './known-fields.tsx'
import { TrialPanel } from './trial-panel.tsx'
import { UnknownSites } from './unknown-sites.tsx'
import { inWords } from '../page/house-words.ts'

/** One file: how it is read, what its columns give, what that would do, and what came of it. */
export default function ImportViewScreen() {
  const id = Number(useParams()['import_id'])
  const { data, error, refetch } = useQuery({
    ...oneQuery(getImport, id),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? 1000 : false),
  })
  const forget = useForget()
  return (
    <Page
      title={data?.name ?? 'Import'}
      isNamed
      rest={
        data && !isMoving(data)
          ? [
              {
                label: 'Oublier ce fichier',
                Icon: IconTrash,
                onRun: () => void forget(data),
                isDangerous: true,
              },
            ]
          : []
      }
    >
      {data ? (
        <Steps key={id} of={data} />
      ) : error ? (
        <ErrorState
          error={error}
          onRetry={() => void refetch()}
          lead={{ to: '/imports', label: 'Les imports' }}
        />
      ) : (
        <LoadingBlock height="24rem" />
      )}
    </Page>
  )
}

function Steps({ of }: { of: Import }) {
  const [isDirty, setDirty] = useState(false)
  useUnsavedGuard(isDirty)
  const { tone, words } = importState(of)
  const isChecked = of.status === 'checked'
  const isOpen = of.status === 'read' || isChecked
  const isTable = of.opened.columns.length > 0
  return (
    <div className={styles['steps']}>
      <Group gap="sm">
        <StatusTag tone={tone}>{words}</StatusTag>
        <Text c="dimmed">
          {inWords(importSubjectWords[of.subject])}, {rowsWords(of.rows)}. Lu le{' '}
          {frenchInstant(of.created_at)} par {of.who}.
        </Text>
      </Group>
      {isOpen ? (
        <>
          {isChecked ? <TrialPanel of={of} isDirty={isDirty} /> : null}
          <HowItIsRead of={of} />
          {isTable ? (
            <MappingPanel
              key={JSON.stringify([
                of.opened.columns.map(({ name }) => name),
                of.mapping,
                of.choices.policies,
              ])}
              of={of}
              onDirty={setDirty}
            />
          ) : (
            <>
              <CopyFields of={of} />
              <KnownFields of={of} />
            </>
          )}
          {of.subject === 'loans' ? null : <ChoicesPanel of={of} />}
          {isChecked ? null : (
            <>
              <UnknownSites of={of} />
              <TrialPanel of={of} isDirty={isDirty} />
            </>
          )}
        </>
      ) : (
        <ImportResult of={of} />
      )}
    </div>
  )
}

/** Asks, forgets the file, and goes back to the list. */
function useForget() {
  const confirm = useConfirm()
  const forget = useChange(forgetImport)
  const navigate = useNavigate()
  return async ({ id, name, act }: Import) => {
    const isMeant = await confirm({
      title: `Oublier «\u00a0${name}\u00a0»\u202f?`,
      message:
        act === null
          ? 'Le fichier et ce qui en a été dit seront perdus. Rien n’en a été importé.'
          : 'Ce qui en a été importé reste, et peut toujours être annulé depuis les actes.',
      acts: 'destroys',
    })
    if (!isMeant) return
    try {
      await forget.mutateAsync({ params: { id } })
    } catch (error) {
      sayError(error)
      return
    }
    say('Fichier oublié.')
    void navigate('/imports', { replace: true })
  }
}
