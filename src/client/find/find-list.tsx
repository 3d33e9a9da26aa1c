import { Text, VisuallyHidden } from '@mantine/core'
import {
  IconAppWindow,
  IconArrowRight,
  IconBarcode,
  IconBolt,
  IconBook,
  IconBooks,
  IconChevronRight,
  IconListSearch,
  IconNotebook,
  IconSettings,
  IconUser,
} from '@tabler/icons-react'
import { useEffect } from 'react'

import { inWords } from '../page/house-words.ts'
import { Cover, Initials } from '../ui/cover.tsx'
import { HitLine } from '../ui/hit-line.tsx'
import { actNamed } from './act-hits.ts'
import styles from './find.module.css'
import type { CopyLink, Hit } from './hit.ts'

type Under = Hit['actions'][number] | CopyLink
/** A hit, or under an unfolded one a copy or another place it leads to. */
export type Row = { id: string; hit: Hit; to: string; under: Under | null }

const underOf = ({ copies = [], actions }: Hit): readonly Under[] => [...copies, ...actions]

export const isFoldable = (hit: Hit): boolean => underOf(hit).length > 0

export const rowsOf = (hits: readonly Hit[], unfolded: string | null): Row[] =>
  hits.flatMap((hit) => [
    { id: hit.key, hit, to: hit.to, under: null },
    ...(hit.key === unfolded ? underOf(hit) : []).map((under, index) => ({
      id: `${hit.key} ${index}`,
      hit,
      to: under.to,
      under,
    })),
  ])

const kinds: Record<Hit['kind'], { word: string; Icon: typeof IconBook }> = {
  screen: { word: 'Écran', Icon: IconAppWindow },
  setting: { word: 'Réglage', Icon: IconSettings },
  act: { word: 'Action', Icon: IconBolt },
  reader: { word: 'Lecteur', Icon: IconUser },
  reference: { word: 'Référence', Icon: IconNotebook },
  loan: { word: 'Prêt', Icon: IconBooks },
  copy: { word: 'Exemplaire', Icon: IconBook },
  list: { word: 'Liste', Icon: IconListSearch },
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
          data-kind={row.hit.kind}
          data-under={row.under ? true : undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onOpen(row)}
        >
          {row.under ? (
            <UnderRow under={row.under} of={row.hit.title} />
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

function UnderRow({ under, of }: { under: Under; of: string }) {
  const isCopy = 'leads' in under
  const Icon = isCopy ? IconBarcode : IconArrowRight
  return (
    <>
      <Icon size="1.1rem" aria-hidden />
      <span className={styles['under'] ?? ''}>
        {under.label}
        {isCopy ? (
          <>
            <span className={styles['between']}>{' · '}</span>
            <span className={styles['state']}>{under.detail}</span>
          </>
        ) : null}
        <VisuallyHidden>{`\u202f: ${of}`}</VisuallyHidden>
      </span>
      {isCopy ? (
        <Text span size="sm" c="dimmed">
          {inWords(under.leads)}
        </Text>
      ) : null}
    </>
  )
}

/** A title has its cover and a reader their initials; anything else says by an icon what it is. */
function Face({ of: { kind, act, title, medium, image } }: { of: Hit }) {
  if (medium !== undefined) return <Cover title={title} medium={medium} image={image} />
  if (kind === 'reader') return <Initials name={title} />
  const Icon = actNamed(act)?.Icon ?? kinds[kind].Icon
  return (
    <span className={styles['icon']}>
      <Icon size="1.4rem" stroke={1.75} aria-hidden />
    </span>
  )
}

type HitRowProps = { hit: Hit; isUnfolded: boolean; onTurn: (hit: Hit) => void }

function HitRow({ hit, isUnfolded, onTurn }: HitRowProps) {
  const { word } = kinds[hit.kind]
  return (
    <>
      <HitLine label={hit.title} told={hit.detail} now={hit.now} face={<Face of={hit} />} />
      <Text span size="sm" c="dimmed" className={styles['kind'] ?? ''}>
        {inWords(word)}
      </Text>
      {isFoldable(hit) ? (
        // For fingers and mice: keys have the right arrow.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <span
          className={styles['turn']}
          title={inWords(hit.copies ? 'Exemplaires et actions (→)' : 'Actions (→)')}
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
