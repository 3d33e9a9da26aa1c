import { Button, CloseButton, Title } from '@mantine/core'
import { type ReactNode, useContext, useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'

import { Beside } from './beside.ts'
import styles from './detail.module.css'
import { TrailOfPage } from './page.tsx'
import { mayRun, type RowAction, useRunOnce } from './row-actions.ts'
import { ActionMenu } from './row-buttons.tsx'
import { isTextField } from '../page/text-field.ts'

type DetailProps<T> = {
  /** What it is; undefined until it is known. */
  of: T | undefined
  title: string
  /** What it is recognised by. */
  picture: ReactNode
  /** Where it stands, in one tag. */
  state?: ReactNode
  /** What can be done with it, the most used first; the same objects as in the rows of its list. */
  actions: readonly RowAction<T>[]
  /** The key of the one that it is mostly opened for. */
  primary?: string
  children: ReactNode
}

/** One thing, whole: what it is stays in sight above what is known of it. A page, or a panel beside the list that it was opened from. */
export function Detail<T>(props: DetailProps<T>) {
  const { of, title, picture, state, actions, primary, children } = props
  const beside = useContext(Beside)
  const heading = useRef<HTMLHeadingElement>(null)
  const { pathname } = useLocation()
  const isBeside = beside !== null
  const isKnown = of !== undefined
  useEffect(() => {
    const before = document.title
    document.title = `${title} · Comptoir`
    return () => {
      document.title = before
    }
  }, [title])
  useEffect(() => {
    const active = document.activeElement
    // Where nobody has touched anything yet, or somebody is writing, nothing takes the focus.
    if (!isBeside || !isKnown || active === document.body || isTextField(active)) return
    // Given anew, so that the next one is said as well.
    heading.current?.blur()
    heading.current?.focus({ preventScroll: true })
  }, [isBeside, pathname, isKnown])
  return (
    <div className={styles['detail']} data-beside={isBeside || undefined}>
      {isBeside ? null : <TrailOfPage />}
      <div className={styles['summary']}>
        {picture}
        <div className={styles['names']}>
          <Title order={isBeside ? 2 : 1} ref={heading} tabIndex={-1} className={styles['title'] ?? ''}>
            {title}
          </Title>
          {state}
        </div>
        {beside ? (
          <CloseButton
            aria-label="Fermer la fiche"
            title="Fermer la fiche (Échap)"
            size="lg"
            onClick={beside.close}
          />
        ) : null}
      </div>
      {of === undefined ? null : (
        <Actions of={of} actions={actions} primary={primary} inSight={isBeside ? 2 : actions.length} />
      )}
      {children}
    </div>
  )
}

type ActionsProps<T> = {
  of: T
  actions: readonly RowAction<T>[]
  primary: string | undefined
  /** How many stand as buttons at most; the others are in a menu. */
  inSight: number
}

function Actions<T>({ of, actions, primary, inSight }: ActionsProps<T>) {
  const runOnce = useRunOnce()
  const hold = useContext(Beside)?.hold
  const offered = actions.filter((action) => mayRun(action, of))
  const buttons = offered.filter(({ tone }) => tone !== 'bad').slice(0, inSight)
  const rest = offered.filter((action) => !buttons.includes(action))
  const run = ({ key, run: act }: RowAction<T>) => {
    hold?.()
    runOnce(key, () => act(of))
  }
  if (offered.length === 0) return null
  return (
    <div className={styles['actions']}>
      {buttons.map((action) => (
        <Button
          key={action.key}
          variant={action.key === primary ? 'filled' : 'default'}
          leftSection={<action.Icon size="1.2em" aria-hidden />}
          onClick={() => run(action)}
        >
          {action.label}
        </Button>
      ))}
      {rest.length > 0 ? <ActionMenu label="Autres actions" actions={rest} onRun={run} /> : null}
    </div>
  )
}
