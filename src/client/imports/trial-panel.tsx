import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useIsMutating } from '@tanstack/react-query'

import { checkImport, type Import, runImport } from '../../contract/imports.ts'
import { useChange } from '../api/queries.ts'
import { sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { counted } from '../ui/words.ts'
import { ChangeSamples } from './change-samples.tsx'
import { CountsOf } from './counts-of.tsx'
import { rowsWords } from './import-words.ts'
import { RefusedLines } from './refused-lines.tsx'
import { LeftColumns, RemarksPanel } from './remarks-panel.tsx'
import { UnknownSites } from './unknown-sites.tsx'

/** The dry run and what it tells, then the real one. */
export function TrialPanel({ of, isDirty }: { of: Import; isDirty: boolean }) {
  const check = useChange(checkImport)
  const askRun = useAskRun(of)
  // What was just chosen is kept before it is tried.
  const isBusy = useIsMutating() > 0
  const isChecked = of.status === 'checked'
  const { added, changed } = of.counts
  return (
    <>
      <section className="panel">
        <Stack>
          <div>
            <Title order={2} size="h4">
              Essai
            </Title>
            <Text c="dimmed">
              {isChecked
                ? 'Rien n’est encore écrit\u202f: voici ce que l’import ferait.'
                : 'Essayer ne change rien\u202f: vous verrez ce qui serait ajouté, modifié et refusé.'}
            </Text>
          </div>
          {isChecked ? (
            <>
              <CountsOf counts={of.counts} isDone={false} />
              <LeftColumns of={of} />
            </>
          ) : null}
          <Group justify="flex-end">
            {isDirty ? <Text role="status">Validez d’abord les colonnes.</Text> : null}
            <Button
              variant={isChecked ? 'default' : 'filled'}
              disabled={isDirty || isBusy}
              loading={check.isPending}
              onClick={() => check.mutate({ params: { id: of.id } }, { onError: (error) => sayError(error) })}
            >
              {isChecked ? 'Essayer de nouveau' : 'Essayer'}
            </Button>
            {isChecked ? (
              <Button
                disabled={isDirty || isBusy || added + changed === 0}
                loading={askRun.isPending}
                onClick={() => void askRun.ask()}
              >
                Importer
              </Button>
            ) : null}
          </Group>
        </Stack>
      </section>
      {isChecked ? (
        <>
          <UnknownSites of={of} />
          <RefusedLines of={of} />
          <RemarksPanel of={of} />
          <ChangeSamples of={of} />
        </>
      ) : null}
    </>
  )
}

function useAskRun({ id, name, counts }: Import) {
  const confirm = useConfirm()
  const run = useChange(runImport)
  const ask = async () => {
    const { added, changed, unchanged, refused, copies } = counts
    const told = [
      `${counted(added, 'ligne sera ajoutée', 'lignes seront ajoutées', 'Aucune ligne ne sera ajoutée')}${copies > 0 ? ` (${counted(copies, 'exemplaire', 'exemplaires')})` : ''}`,
      ...(changed > 0 ? [`${rowsWords(changed)} ${changed > 1 ? 'modifiées' : 'modifiée'}`] : []),
      ...(unchanged > 0 ? [`${rowsWords(unchanged)} ${unchanged > 1 ? 'inchangées' : 'inchangée'}`] : []),
      ...(refused > 0 ? [`${rowsWords(refused)} ${refused > 1 ? 'refusées' : 'refusée'}`] : []),
    ]
    const isMeant = await confirm({
      title: `Importer «\u00a0${name}\u00a0»\u202f?`,
      message: `${told.join(', ')}. L’import pourra être annulé.`,
    })
    if (isMeant) run.mutate({ params: { id } }, { onError: (error) => sayError(error) })
  }
  return { ask, isPending: run.isPending }
}
