import { Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'

import type { Import } from '../../contract/imports.ts'
import { ChangeList } from '../ui/lists/change-list.tsx'
import { PageTurner } from '../ui/page-turner.tsx'
import { counted } from '../ui/words.ts'
import styles from './imports.module.css'

const limit = 10

/** Some of the records that change, each field with what it was and what it becomes. */
export function ChangeSamples({ of: { samples, counts } }: { of: Import }) {
  const [page, setPage] = useState(1)
  const changed = samples.filter(({ changes }) => changes.length > 0)
  if (changed.length === 0) return null
  return (
    <section className="panel" aria-label="Ce qui change">
      <Stack>
        <div>
          <Title order={2} size="h4">
            Ce qui change
          </Title>
          {counts.changed > changed.length ? (
            <Text c="dimmed">Les {changed.length} premières lignes qui changent quelque chose.</Text>
          ) : null}
        </div>
        <ol className={styles['lines']}>
          {changed.slice((page - 1) * limit, page * limit).map(({ line, name, changes }) => (
            <li key={line}>
              <Text fw={600}>{name}</Text>
              <Text size="sm" c="dimmed">
                Ligne {line}
              </Text>
              <ChangeList changes={changes} />
            </li>
          ))}
        </ol>
        <PageTurner
          page={page}
          limit={limit}
          total={changed.length}
          words={counted(changed.length, 'ligne', 'lignes')}
          isFetching={false}
          onTurn={setPage}
        />
      </Stack>
    </section>
  )
}
