import { Button, CloseButton, Title } from '@mantine/core'
import { type ReactNode, useContext, useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'

import { Beside } from './beside.ts'
import styles from './detail.module.css'
import { TrailOfPage } from './page.tsx'
import { mayRun, type RowAction, useRunOnce } from './row-actions.ts'
import { ActionMenu } from './row-buttons.tsx'
import { isTextField } from '../page/text-field.ts'
import { inWords } from '../page/house-words.ts'

type DetailProps<T> = {
  of: T | undefined
  title: string
  picture: ReactNode
  state?: ReactNode
  /** The most used first; the same objects as in its list's rows. */
  actions: readonly RowAction<T>[]
  primary?: string
  children: ReactNode
}

/** One thing, with its title in sight above the rest, as a page or a panel beside its list. */
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
    // Nothing takes the focus from somebody who writes, or before anything was touched.
    if (!isBeside || !isKnown || active === document.body || isTextField(active)) return
    // A new focus makes readers say the next title too.
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
          {inWords(action.label)}
        </Button>
      ))}
      {rest.length > 0 ? <ActionMenu label="Autres actions" actions={rest} onRun={run} /> : null}
    </div>
  )
}
