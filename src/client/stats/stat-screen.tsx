import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconFilter, IconRefresh } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { useLibraryClock } from '../loans/use-today.ts'
import { useSession } from '../api/session.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import type { PageAction } from '../ui/page-actions.tsx'
import { Page } from '../ui/page.tsx'
import { useIsPhone } from '../ui/screen-width.ts'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { fewFigures } from './figure.tsx'
import type { Stated } from './stat-data.ts'
import { timeWords } from './stat-words.ts'
import styles from './stats.module.css'
import { inWords } from '../page/house-words.ts'

type StatScreenProps<Told> = {
  title: string
  asked: Pick<UseQueryResult<Stated<Told>>, 'data' | 'error' | 'isFetching' | 'isPlaceholderData'> & {
    refetch: () => unknown
  }
  /** Nothing is asked for while the period is wrong. */
  isWrong?: boolean
  filters?: ReactNode
  /** What they ask for, where a phone has them in a sheet. */
  chosen?: string
  /** Of what the figures are, as far as no filter says it. */
  about?: ReactNode
  /** Beside the figures where there is room. */
  beside?: ReactNode
  actions?: readonly PageAction[]
  /** How many big numbers come, over charts. */
  figures: number
  /** Whether they lead to what they count. */
  isLinked?: boolean
  children: (told: Told) => ReactNode
}

/** A screen of figures: what is asked for, then what is told of it, in places that are held from the start. */
export function StatScreen<Told>(props: StatScreenProps<Told>) {
  const { title, asked, isWrong = false, filters, chosen, about, beside, actions = [], figures } = props
  const { isLinked = false, children } = props
  const { data, error, refetch, isFetching, isPlaceholderData } = asked
  const isPhone = useIsPhone()
  const state = isWrong ? (
    <EmptyState message="Corrigez la période pour en voir les chiffres." />
  ) : error && data === undefined ? (
    <ErrorState error={error} onRetry={refetch} />
  ) : data === undefined ? (
    <Outline figures={figures} isLinked={isLinked} />
  ) : (
    <div
      className={styles['body']}
      data-linked={isLinked || undefined}
      data-stale={isPlaceholderData || undefined}
    >
      {children(data.figures)}
    </div>
  )
  return (
    <Page
      title={title}
      tools={data?.stateAt == null ? null : <StateTime at={data.stateAt} />}
      actions={[
        {
          label: 'Actualiser',
          Icon: IconRefresh,
          onRun: () => void refetch(),
          isLoading: isFetching,
          isDisabled: isWrong,
        },
        ...actions,
      ]}
    >
      {filters && isPhone ? <FilterSheet chosen={chosen}>{filters}</FilterSheet> : filters}
      {about}
      {beside ? (
        <div className={styles['opening']}>
          {state}
          {beside}
        </div>
      ) : (
        state
      )}
    </Page>
  )
}

/** On a phone the figures come first: what they are asked by stands in a sheet, and its button says it. */
function FilterSheet({ chosen, children }: { chosen: string | undefined; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFilter size="1.2em" aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Filtres{chosen === undefined ? null : `\u202f: ${chosen}`}
      </Button>
      <Sheet isOpen={isOpen} onClose={() => setOpen(false)} position="bottom" size="auto" title="Filtres">
        <Stack>
          {children}
          <Button onClick={() => setOpen(false)}>Voir les chiffres</Button>
        </Stack>
      </Sheet>
    </>
  )
}

/** Where a copy of the database gave them, figures are of a moment ago. */
function StateTime({ at }: { at: string }) {
  const { zone } = useLibraryClock()
  return (
    <Text size="sm" c="dimmed" role="status">
      Chiffres de {timeWords(at, zone)}
    </Text>
  )
}

const Outline = ({ figures, isLinked }: { figures: number; isLinked: boolean }) => (
  <div className={styles['body']} data-linked={isLinked || undefined}>
    <LoadingText />
    <div className={styles['figures']} data-many={figures > fewFigures || undefined}>
      {Array.from({ length: figures }, (_, at) => (
        <Skeleton key={at} height="var(--figure)" radius="lg" />
      ))}
    </div>
    <Skeleton height="24rem" radius="lg" />
  </div>
)

/** « Chiffres du site Centre », where there are several places. */
export function useSiteWords(): string | null {
  const site = useSession()?.site
  if (!useIsMultisite() || !site) return null
  return site.id === 0 ? inWords('Chiffres de tous les sites') : `${inWords('Chiffres du site')} ${site.name}`
}

/** Which place the figures are of. */
export function OfSite() {
  const words = useSiteWords()
  return words === null ? null : <Text c="dimmed">{words}.</Text>
}
