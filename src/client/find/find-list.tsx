import { Text, VisuallyHidden } from '@mantine/core'
import {
  IconAppWindow,
  IconArrowRight,
  IconBook,
  IconBooks,
  IconChevronRight,
  IconNotebook,
  IconSettings,
  IconUser,
} from '@tabler/icons-react'
import { useEffect } from 'react'

import { Cover } from '../ui/cover.tsx'
import styles from './find.module.css'
import type { Hit } from './hit.ts'

/** A hit, or under an unfolded one another place it leads to. */
export type Row = { id: string; hit: Hit; label: string; to: string; isAction: boolean }

export const rowsOf = (hits: readonly Hit[], unfolded: string | null): Row[] =>
  hits.flatMap((hit) => [
    { id: hit.key, hit, label: hit.title, to: hit.to, isAction: false },
    ...(hit.key === unfolded ? hit.actions : []).map(({ label, to }, index) => ({
      id: `${hit.key} ${index}`,
      hit,
      label,
      to,
      isAction: true,
    })),
  ])

const kinds: Record<Hit['kind'], { word: string; Icon: typeof IconBook }> = {
  screen: { word: 'Écran', Icon: IconAppWindow },
  setting: { word: 'Réglage', Icon: IconSettings },
  reader: { word: 'Lecteur', Icon: IconUser },
  reference: { word: 'Référence', Icon: IconNotebook },
  loan: { word: 'Prêt', Icon: IconBooks },
  copy: { word: 'Exemplaire', Icon: IconBook },
}

type FindListProps = {
  id: string
  rows: readonly Row[]
  activeId: string | null
  unfolded: string | null
  onOpen: (row: Row) => void
  onUnfold: (hit: Hit) => void
  onFold: (hit: Hit) => void
}

/** The focus stays in the field, whose attributes name the active line. */
export function FindList({ id, rows, activeId, unfolded, onOpen, onUnfold, onFold }: FindListProps) {
  useEffect(() => {
    if (activeId !== null) document.getElementById(id + activeId)?.scrollIntoView({ block: 'nearest' })
  }, [id, activeId])
  return (
    <div id={id} role="listbox" aria-label="Résultats" className={styles['list']}>
      {rows.map((row) => (
        // The field takes the keys.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={row.id}
          id={id + row.id}
          role="option"
          aria-selected={row.id === activeId}
          className={styles['row']}
          data-action={row.isAction || undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onOpen(row)}
        >
          {row.isAction ? (
            <ActionRow row={row} />
          ) : (
            <HitRow
              hit={row.hit}
              isUnfolded={row.hit.key === unfolded}
              onTurn={row.hit.key === unfolded ? onFold : onUnfold}
            />
          )}
        </div>
      ))}
    </div>
  )
}

function ActionRow({ row: { label, hit } }: { row: Row }) {
  return (
    <>
      <IconArrowRight size="1.1rem" aria-hidden />
      <span>
        {label}
        <VisuallyHidden>{`\u202f: ${hit.title}`}</VisuallyHidden>
      </span>
    </>
  )
}

type HitRowProps = { hit: Hit; isUnfolded: boolean; onTurn: (hit: Hit) => void }

function HitRow({ hit, isUnfolded, onTurn }: HitRowProps) {
  const { word, Icon } = kinds[hit.kind]
  return (
    <>
      {hit.medium === undefined ? (
        <span className={styles['icon']}>
          <Icon size="1.4rem" stroke={1.75} aria-hidden />
        </span>
      ) : (
        <Cover title={hit.title} medium={hit.medium} />
      )}
      <span className={styles['words']}>
        <span className={styles['title']}>{hit.title}</span>
        {hit.detail ? (
          <Text span size="sm" c="dimmed" className={styles['detail'] ?? ''}>
            {hit.detail}
          </Text>
        ) : null}
      </span>
      <Text span size="sm" c="dimmed" className={styles['kind'] ?? ''}>
        {word}
      </Text>
      {hit.actions.length > 0 ? (
        // For fingers and mice: keys have the right arrow.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <span
          className={styles['turn']}
          title="Actions (→)"
          data-unfolded={isUnfolded || undefined}
          aria-hidden
          onClick={(event) => {
            event.stopPropagation()
            onTurn(hit)
          }}
        >
          <IconChevronRight size="1.2rem" />
        </span>
      ) : (
        <span />
      )}
    </>
  )
}
