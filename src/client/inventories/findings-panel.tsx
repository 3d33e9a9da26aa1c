import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'

import { Checkbox, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { Inventory } from '../../contract/inventories.ts'
import { membersOf, totalOf, type Filter } from '../../contract/list.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { rightOfAction } from '../../domain/finding-rights.ts'
import { type FindingAction, findingActions, type FindingGroup } from '../../domain/inventory.ts'
import { useRights } from '../api/session.ts'
import { PageTurner } from '../ui/page-turner.tsx'
import { useIsPhone } from '../ui/screen-width.ts'
import { EmptyState, UnreadState } from '../ui/states.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { counted } from '../ui/words.ts'
import { type Choice, countOf, isTicked, tick } from './choices.ts'
import { FindingRow } from './finding-row.tsx'
import { findingsQuery } from './inventory-data.ts'
import styles from './inventory.module.css'
import { actionWords, groupWords } from './inventory-words.ts'

const limit = 25

type FindingsPanelProps = {
  inventory: Inventory
  group: FindingGroup
  total: number
  choice: Choice
  /** Null once the inventory is over. */
  onChoose: ((choice: Choice) => void) | null
}

/** One group of what was found: what to do about it, and each with what is noted and what was seen. */
export function FindingsPanel({ inventory: { id }, group, total, choice, onChoose }: FindingsPanelProps) {
  const isPhone = useIsPhone()
  const [page, setPage] = useState(1)
  const [typed, setTyped] = useState('')
  const still = useDebounced(typed.trim())
  const filters: Filter[] = [
    { field: 'group', operator: 'eq', value: group },
    ...(still === '' ? [] : [{ field: 'name', operator: 'like', value: still } satisfies Filter]),
  ]
  const { data, error, refetch, isFetching } = useQuery(findingsQuery(id, { page, limit, filters }))
  const held = useRights()
  const actions: readonly FindingAction[] = findingActions[group].filter((action) =>
    held.includes(rightOfAction[action]),
  )
  const { title, about, count } = groupWords[group]
  const mayTick = onChoose !== null && choice.action !== null
  const isSearching = typed.trim() !== ''
  const chosen = countOf(choice, total)
  return (
    <section className="panel" aria-labelledby="group">
      <Stack gap="md">
        <div>
          <Title order={2} size="h4" id="group">
            {title}
          </Title>
          <Text c="dimmed">{about}</Text>
        </div>
        {onChoose && actions.length > 0 ? (
          <SegmentedControl
            aria-label="Que faire"
            fullWidth
            size="md"
            styles={{ label: { minHeight: '2.75rem', alignContent: 'center' } }}
            orientation={isPhone ? 'vertical' : 'horizontal'}
            value={choice.action ?? ''}
            onChange={(value) =>
              onChoose({ ...choice, action: actions.find((action) => action === value) ?? null })
            }
            data={[
              { value: '', label: 'Laisser' },
              ...actions.map((action) => ({ value: action, label: actionWords[action] })),
            ]}
          />
        ) : null}
        {!mayTick ? null : isSearching ? (
          // A box for all would be read as one for all that the search shows.
          <Text role="status">{chosenAmong(chosen, total)}</Text>
        ) : (
          <Checkbox
            label={`Tous (${frenchNumber(chosen)} sur ${frenchNumber(total)})`}
            checked={chosen === total}
            indeterminate={chosen > 0 && chosen < total}
            onChange={(event) =>
              onChoose({
                ...choice,
                rows: { kind: event.currentTarget.checked ? 'except' : 'only', keys: [] },
              })
            }
          />
        )}
        {total > limit ? (
          <TextInput
            type="search"
            aria-label="Chercher un titre"
            placeholder="Chercher un titre"
            leftSection={<IconSearch size="1.2em" aria-hidden />}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              setPage(1)
            }}
          />
        ) : null}
        {data ? null : <UnreadState error={error} onRetry={refetch} height="16rem" />}
        {membersOf(data)?.length === 0 ? <EmptyState message="Aucun ne correspond." /> : null}
        {data ? (
          <>
            <ul className={styles['findings']}>
              {membersOf(data).map((finding) => (
                <FindingRow
                  key={finding.key}
                  finding={finding}
                  isTicked={mayTick ? isTicked(choice, finding.key) : null}
                  onTick={() => onChoose?.(tick(choice, finding.key))}
                />
              ))}
            </ul>
            <PageTurner
              page={page}
              limit={limit}
              total={totalOf(data)}
              words={count(totalOf(data))}
              isFetching={isFetching}
              onTurn={setPage}
            />
          </>
        ) : null}
      </Stack>
    </section>
  )
}

const chosenAmong = (chosen: number, total: number): string =>
  chosen === 0
    ? `Aucun n’est choisi, sur ${frenchNumber(total)}. Cochez ceux que vous voulez.`
    : `${counted(chosen, 'est choisi', 'sont choisis')} sur ${frenchNumber(total)}, que la recherche ${
        chosen === 1 ? 'le' : 'les'
      } montre ou non.`
