import { Skeleton, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { useLibraryClock } from '../loans/use-today.ts'
import { useSession } from '../api/session.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import type { PageAction } from '../ui/page-actions.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import type { Stated } from './stat-data.ts'
import { timeWords } from './stat-words.ts'
import styles from './stats.module.css'
import { inWords } from '../page/house-words.ts'

type StatScreenProps<Told> = {
  title: string
  asked: Pick<UseQueryResult<Stated<Told>>, 'data' | 'error' | 'refetch' | 'isFetching' | 'isPlaceholderData'>
  /** Nothing is asked for while the period is wrong. */
  isWrong?: boolean
  filters?: ReactNode
  actions?: readonly PageAction[]
  /** How many big numbers come, over charts. */
  figures: number
  /** Whether they lead to what they count. */
  isLinked?: boolean
  children: (told: Told) => ReactNode
}

/** A screen of figures: what is asked for, then what is told of it, in places that are held from the start. */
export function StatScreen<Told>(props: StatScreenProps<Told>) {
  const { title, asked, isWrong = false, filters, actions = [], figures, isLinked = false, children } = props
  const { data, error, refetch, isFetching, isPlaceholderData } = asked
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
      {filters}
      {isWrong ? (
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
      )}
    </Page>
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
    <div className={styles['figures']}>
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
