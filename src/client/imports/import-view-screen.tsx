import { Group, Select, Stack, Switch, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Switch.css'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'

import { forgetImport, getImport, type Import, policies, type Policy } from '../../contract/imports.ts'
import { type CopyFrame, copyFrames } from '../../domain/copy-frames.ts'
import { importFieldsOf, importSubjectWords } from '../../domain/import-fields.ts'
import { isLentAs } from '../../domain/unimarc-copies.ts'
import { oneQuery, useChange } from '../api/queries.ts'
import { inWords } from '../page/house-words.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { Page } from '../ui/page.tsx'
import { UnreadState } from '../ui/states.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted, frenchInstant } from '../ui/words.ts'
import { HowItIsRead } from './how-it-is-read.tsx'
import { ImportResult } from './import-result.tsx'
import { importState, isMoving, policyWords, rowsWords } from './import-words.ts'
import styles from './imports.module.css'
import { MappingPanel } from './mapping-panel.tsx'
import { PolicyField } from './mapping-row.tsx'
import { TrialPanel } from './trial-panel.tsx'
import { UnknownSites, useSiteOptions } from './unknown-sites.tsx'
import { useImportChange } from './use-import-change.ts'

const frameWords: Record<CopyFrame, string> = {
  '995': 'Recommandation 995',
  koha: 'Koha',
  pmb: 'PMB (995 et 996)',
}

/** Of notices: whose fields of copies these are, and which circulations are lent. */
function CopyFields({ of }: { of: Import }) {
  const { send, isPending } = useImportChange(of)
  const found = of.opened.copies
  if (!found) return null
  const { copy_frame, lent = {} } = of.choices
  const frame = copy_frame ?? found.frame
  return (
    <section className="panel">
      <Stack>
        <div>
          <Title order={2} size="h4">
            {inWords('Exemplaires des notices')}
          </Title>
          <Text c="dimmed">
            {inWords(
              `La zone 995 ne se remplit pas partout de même. Ici, d’après ce qu’elle contient\u202f: ${frameWords[found.frame]}.`,
            )}
          </Text>
        </div>
        <Select
          className={styles['form'] ?? ''}
          label="Usage de la zone 995"
          allowDeselect={false}
          disabled={isPending}
          data={copyFrames.map((value) => ({ value, label: frameWords[value] }))}
          value={frame}
          onChange={(value) => {
            const next = copyFrames.find((one) => one === value)
            if (next && next !== frame) send({ choices: { copy_frame: next } })
          }}
        />
        <div className={styles['fields']}>
          {found.circulation.map(({ code, count, is_lent }) => (
            <Select
              key={code}
              label={`$o «\u00a0${code}\u00a0»`}
              description={inWords(counted(count, 'exemplaire', 'exemplaires'))}
              allowDeselect={false}
              disabled={isPending}
              data={['Disponible', 'Non Disponible']}
              value={
                (lent[code] ?? (frame === found.frame ? is_lent : isLentAs(code, frame)))
                  ? 'Disponible'
                  : 'Non Disponible'
              }
              onChange={(value) => send({ choices: { lent: { ...lent, [code]: value === 'Disponible' } } })}
            />
          ))}
        </div>
      </Stack>
    </section>
  )
}

/** Where things go that do not say it, and what may be made for them; each choice is kept at once. */
function ChoicesPanel({ of }: { of: Import }) {
  const { send, isPending, sent } = useImportChange(of)
  const sites = useSiteOptions()
  const { site, numbers_copies, makes_words } = { ...of.choices, ...sent?.choices }
  const hasCopies = of.subject === 'references'
  return (
    <section className="panel">
      <Stack>
        <Title order={2} size="h4">
          Choix
        </Title>
        <Select
          className={styles['form'] ?? ''}
          label={
            hasCopies
              ? inWords('Site des exemplaires dont la ligne n’en dit pas')
              : inWords('Site des lecteurs dont la ligne n’en dit pas')
          }
          placeholder="Aucun"
          clearable
          allowDeselect={false}
          clearButtonProps={{ 'aria-label': 'Effacer le site' }}
          disabled={isPending}
          data={sites}
          value={site === null ? null : String(site)}
          onChange={(value) => send({ choices: { site: value === null ? null : Number(value) } })}
        />
        {hasCopies ? (
          <>
            <Switch
              size="lg"
              label={inWords('Numéroter les exemplaires sans code-barres')}
              description={inWords(
                'Chaque titre nouveau sans code-barres a un exemplaire, numéroté comme le veut son site.',
              )}
              disabled={isPending}
              checked={numbers_copies}
              onChange={({ currentTarget }) => send({ choices: { numbers_copies: currentTarget.checked } })}
            />
            <Switch
              size="lg"
              label="Créer les mots qui manquent"
              description={inWords(
                'Supports, catégories, mots-clés et emplacements que personne n’a encore, si vous en avez le droit.',
              )}
              disabled={isPending}
              checked={makes_words}
              onChange={({ currentTarget }) => send({ choices: { makes_words: currentTarget.checked } })}
            />
          </>
        ) : null}
      </Stack>
    </section>
  )
}

/** Notices have no columns; of each field it can still be said what becomes of a value that is there already. */
function KnownFields({ of }: { of: Import }) {
  const { send, isPending } = useImportChange(of)
  const said = of.choices.policies
  const set = (field: string, policy: Policy) => send({ choices: { policies: { ...said, [field]: policy } } })
  return (
    <section className="panel">
      <Stack>
        <div>
          <Title order={2} size="h4">
            Champs
          </Title>
          <Text c="dimmed">
            {inWords(
              'Les champs d’une notice UNIMARC sont connus\u202f: il n’y a rien à faire correspondre. La notice d’origine est gardée avec sa référence.',
            )}
          </Text>
        </div>
        <details>
          <summary>Ce que deviennent les valeurs déjà là</summary>
          <Text c="dimmed" my="sm">
            Sauf choix contraire, elles sont gardées, et seul ce qui est vide se remplit (
            {policies.map((policy) => policyWords[policy].toLowerCase()).join(', ')}).
          </Text>
          <ul className={styles['policies']}>
            {importFieldsOf[of.subject].map(({ name, label }) => (
              <li key={name}>
                <Text>{label}</Text>
                <PolicyField
                  field={name}
                  isOfWorks={of.subject === 'references'}
                  label={label}
                  value={said[name] ?? 'fill'}
                  disabled={isPending}
                  onChange={(policy) => set(name, policy)}
                />
              </li>
            ))}
          </ul>
        </details>
      </Stack>
    </section>
  )
}

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
      ) : (
        <UnreadState
          error={error}
          onRetry={refetch}
          lead={{ to: '/imports', label: 'Les imports' }}
          height="24rem"
        />
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
  const names = JSON.stringify(of.opened.columns.map(({ name }) => name))
  // Who tries a file has seen its columns.
  const [confirmed, setConfirmed] = useState(isChecked ? names : '')
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
              key={JSON.stringify([names, of.mapping, of.choices.policies])}
              of={of}
              isConfirmed={confirmed === names || of.opened.known_as !== null}
              onConfirm={() => setConfirmed(names)}
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
