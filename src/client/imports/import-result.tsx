import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'

import type { Import } from '../../contract/imports.ts'
import { importDone, importNotDone } from '../../domain/sentences/imports.ts'
import { ChangeSamples } from './change-samples.tsx'
import { CountsOf } from './counts-of.tsx'
import { isMoving } from './import-words.ts'
import { RefusedLines } from './refused-lines.tsx'
import { LeftColumns, RemarksPanel } from './remarks-panel.tsx'

const JobProgress = lazy(() => import('../ui/job-progress.tsx'))

/** How far it is while it is tried or brought in; then what came of it, and how it is taken back. */
export function ImportResult({ of }: { of: Import }) {
  const { status, problem, counts, act } = of
  if (isMoving(of)) {
    const isTrial = status === 'checking'
    return (
      <>
        <Suspense fallback={null}>
          <JobProgress
            kind={isTrial ? 'imports.check' : 'imports.run'}
            title={isTrial ? 'Essai' : 'Import'}
          />
        </Suspense>
        <Text c="dimmed">Vous pouvez quitter cette page et y revenir&#8239;: le travail continue.</Text>
      </>
    )
  }
  return (
    <>
      {problem === null ? (
        <Alert color="lamp" variant="light" role="status" title={importDone}>
          {counts.refused > 0 ? 'Les lignes refusées sont plus bas, chacune avec sa raison.' : null}
        </Alert>
      ) : (
        <Alert color="red" variant="light" role="alert" title={importNotDone}>
          {problem}
        </Alert>
      )}
      <section className="panel">
        <Stack>
          <Title order={2} size="h4">
            Résultat
          </Title>
          <CountsOf counts={counts} isDone />
          <LeftColumns of={of} />
          {act === null ? null : (
            <Group justify="flex-end">
              <Button
                component={Link}
                to={`/settings/acts/view/${act}`}
                variant="default"
                leftSection={<IconArrowBackUp size="1.2em" aria-hidden />}
              >
                Annuler cet import
              </Button>
            </Group>
          )}
        </Stack>
      </section>
      <RefusedLines of={of} />
      <RemarksPanel of={of} />
      <ChangeSamples of={of} />
    </>
  )
}
