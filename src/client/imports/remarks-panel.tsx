import { Stack, Text, Title } from '@mantine/core'

import type { Import } from '../../contract/imports.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { remarkWords } from '../../domain/import-remarks.ts'
import { leftColumnsWords } from '../../domain/left-columns.ts'
import { inWords } from '../page/house-words.ts'
import styles from './imports.module.css'

/** Tells by kind what a person should know of lines that are taken: how many there are, and the first ones. */
export function RemarksPanel({ of: { remarks } }: { of: Import }) {
  if (remarks.length === 0) return null
  return (
    <section className="panel" aria-label="À savoir">
      <Stack>
        <Title order={2} size="h4">
          À savoir
        </Title>
        <ul className={styles['lines']}>
          {remarks.map(({ kind, count, lines }) => (
            <li key={kind}>
              <details>
                <summary>
                  {inWords(remarkWords[kind])} ({frenchNumber(count)})
                </summary>
                <ol className={styles['lines']}>
                  {lines.map(({ line, told }, at) => (
                    // oxlint-disable-next-line react/no-array-index-key -- a line may tell several alike
                    <li key={at}>
                      <Text size="sm" c="dimmed">
                        Ligne {line}
                      </Text>
                      <Text>{told}</Text>
                    </li>
                  ))}
                </ol>
                {count > lines.length ? (
                  <Text c="dimmed">Les {lines.length} premières sont montrées.</Text>
                ) : null}
              </details>
            </li>
          ))}
        </ul>
      </Stack>
    </section>
  )
}

/** Names the columns of the file that are not taken. */
export function LeftColumns({ of: { opened, mapping } }: { of: Import }) {
  const words = leftColumnsWords(opened.columns, mapping)
  return words === null ? null : <Text>{words}</Text>
}
