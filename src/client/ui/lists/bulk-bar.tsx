import { Button, CloseButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense } from 'react'

import type { Progress } from '../../api/queries.ts'
import styles from './filter-bar.module.css'
import { wasEscapeForOverlay } from '../overlay-open.ts'
import { mayRun, type RowAction } from './row-actions.ts'
import { ActionMenu } from './row-buttons.tsx'
import type { Noun } from '../nouns.ts'
import { counted } from '../words.ts'
import { inWords } from '../../page/house-words.ts'

const EachProgress = lazy(() => import('../each-progress.tsx'))

type Whole = {
  isChosen: boolean
  isOffered: boolean
  isPending: boolean
  total: number
  most: number
  choose: () => void
  keepPage: () => void
}

export type UnderWay = { title: string; progress: Progress; stop: () => void }

type BulkBarProps<Row> = {
  rows: readonly Row[]
  noun: Noun
  actions: readonly RowAction<Row>[]
  whole: Whole
  underWay: UnderWay | null
  tools?: ReactNode
  /** Whether Escape closes something else first. */
  isEscapeTaken: boolean
  onRun: (action: RowAction<Row>, rows: readonly Row[]) => void
  onClear: () => void
}

const mostInLine = 3

/** Acts on the ticked rows, in the filters' place; an action says for how many of them it is. */
export function BulkBar<Row>(props: BulkBarProps<Row>) {
  const { rows, noun, actions, whole, underWay, tools, isEscapeTaken, onRun, onClear } = props
  const offered = actions.flatMap((action) => {
    const its = rows.filter((row) => mayRun(action, row))
    if (!action.runAll || its.length === 0) return []
    const name = inWords(action.labelOfAll ?? action.label)
    const label = its.length === rows.length ? name : `${name} (${its.length})`
    return [{ ...action, label, run: () => onRun(action, its) }]
  })
  // What destroys stands aside from the rest, but a menu of it alone would hide what the list is for.
  const harmless = offered.length === 1 ? offered : offered.filter(({ tone }) => tone !== 'bad')
  const inLine = harmless.length > mostInLine ? harmless.slice(0, mostInLine - 1) : harmless
  const inMenu = offered.filter((action) => !inLine.includes(action))
  const { e } = noun
  const onEscape = (event: KeyboardEvent) => {
    if (isEscapeTaken || event.defaultPrevented || wasEscapeForOverlay()) return
    onClear()
  }
  useHotkeys([['Escape', onEscape, { preventDefault: false }]], [])
  if (underWay) {
    const { title, progress, stop } = underWay
    return (
      <section className={styles['line']} aria-label={title}>
        <div className={styles['field']}>
          <Suspense fallback={null}>
            <EachProgress title={title} progress={progress} />
          </Suspense>
        </div>
        <Button variant="default" disabled={progress.isStopping} onClick={stop}>
          Arrêter
        </Button>
      </section>
    )
  }
  return (
    <section className={styles['line']} data-choice aria-label={`Choix\u202f: ${noun.many}`}>
      <div className={`${styles['line']} ${styles['choice']}`}>
        <strong className={styles['count']} role="status">
          {counted(rows.length, `${noun.one} choisi${e}`, `${noun.many} choisi${e}s`)}
        </strong>
        {whole.isOffered ? <WholeButton whole={whole} noun={noun} /> : null}
        {inLine.map(({ key, label, Icon, tone, run }) => (
          <Button
            key={key}
            variant={tone === 'bad' ? 'outline' : 'default'}
            {...(tone === 'bad' ? { color: 'red' } : {})}
            leftSection={<Icon size="1.2em" aria-hidden />}
            onClick={run}
          >
            {label}
          </Button>
        ))}
        {tools}
        {inMenu.length > 0 ? (
          <ActionMenu label="Autres actions sur le choix" actions={inMenu} onRun={({ run }) => run()} />
        ) : null}
      </div>
      <CloseButton aria-label="Ne plus rien choisir" title="Ne plus rien choisir" onClick={onClear} />
    </section>
  )
}

/** One button for both ways, so that the focus stays on it. */
function WholeButton({ whole, noun }: { whole: Whole; noun: Noun }) {
  const all = counted(whole.total, noun.one, noun.many)
  if (!whole.isChosen && whole.total > whole.most) {
    return (
      <span className={styles['changed']}>{`${all} en tout\u202f: ${whole.most} au plus à la fois`}</span>
    )
  }
  return (
    <Button
      variant="subtle"
      px="xs"
      loading={whole.isPending}
      onClick={whole.isChosen ? whole.keepPage : whole.choose}
    >
      {whole.isChosen ? 'Cette page seulement' : `Choisir les ${all}`}
    </Button>
  )
}
