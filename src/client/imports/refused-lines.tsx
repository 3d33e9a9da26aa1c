import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { exportRefusals, type Import, type ImportRefusal, listRefusals } from '../../contract/imports.ts'
import { membersOf, totalOf } from '../../contract/list.ts'
import { importFieldsOf } from '../../domain/import-fields.ts'
import { call } from '../api/call.ts'
import { sayError } from '../page/messages.ts'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { PageTurner } from '../ui/page-turner.tsx'
import { saveFile } from '../ui/save-file.ts'
import { ErrorState } from '../ui/states.tsx'
import { rowsWords } from './import-words.ts'
import styles from './imports.module.css'

const limit = 25

/** The lines that were refused, each with its reason, and the file to correct. */
export function RefusedLines({ of: { id, subject, status, counts } }: { of: Import }) {
  const [page, setPage] = useState(1)
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['imports', listRefusals.name, id, status, page],
    queryFn: ({ signal }) => call(listRefusals, { params: { id }, list: { page, limit }, signal }),
    placeholderData: keepPreviousData,
    enabled: counts.refused > 0,
  })
  if (counts.refused === 0) return null
  const download = () =>
    void call(exportRefusals, { params: { id } }).then(saveFile, (problem: unknown) =>
      sayError(problem, 'Le fichier n’a pas pu être fait.'),
    )
  return (
    <section className="panel" aria-label="Lignes refusées">
      <Stack>
        <Group justify="space-between" gap="sm">
          <Title order={2} size="h4">
            Lignes refusées
          </Title>
          <Button
            variant="default"
            leftSection={<IconDownload size="1.2em" aria-hidden />}
            onClick={download}
          >
            Télécharger les lignes refusées
          </Button>
        </Group>
        <Text c="dimmed">Corrigez-les dans le fichier téléchargé, puis importez-le à son tour.</Text>
        {data ? (
          <ol className={styles['lines']}>
            {byLine(membersOf(data)).map(([{ id: refusal, line, field }, whys]) => (
              <li key={refusal}>
                <Text fw={600}>
                  Ligne {line}
                  {whys.length === 1 ? labelOf(subject, field) : null}
                </Text>
                {whys.map((why) => (
                  <Text key={why.id}>{why.reason}</Text>
                ))}
              </li>
            ))}
          </ol>
        ) : error ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : (
          <LoadingBlock height="8rem" />
        )}
        <PageTurner
          page={page}
          limit={limit}
          total={totalOf(data) ?? counts.refused}
          words={rowsWords(counts.refused)}
          isFetching={isFetching}
          onTurn={setPage}
        />
      </Stack>
    </section>
  )
}

/** Reasons of one line stand together: the first, then all of them. */
function byLine(refusals: readonly ImportRefusal[]): [ImportRefusal, ImportRefusal[]][] {
  const lines: [ImportRefusal, ImportRefusal[]][] = []
  for (const refusal of refusals) {
    const last = lines.at(-1)
    if (last?.[0].line === refusal.line) last[1].push(refusal)
    else lines.push([refusal, [refusal]])
  }
  return lines
}

function labelOf(subject: Import['subject'], field: string | null): string {
  const label = importFieldsOf[subject].find(({ name }) => name === field)?.label
  return label === undefined ? '' : `, ${label}`
}
