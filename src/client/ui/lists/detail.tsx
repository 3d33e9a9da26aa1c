import { ActionIcon, Button, CloseButton, Title } from '@mantine/core'
import { IconLayoutSidebarRightCollapse, IconLayoutSidebarRightExpand } from '@tabler/icons-react'
import { type ReactNode, useContext, useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'

import { Beside } from './beside.ts'
import styles from './detail.module.css'
import { isLed } from './open-detail.ts'
import { TrailOfPage } from '../page.tsx'
import { mayRun, type RowAction, useRunOnce } from './row-actions.ts'
import { ActionMenu } from './row-buttons.tsx'
import { useIsPhone } from '../screen-width.ts'
import { setPreference, usePreferences } from '../../page/preferences.ts'
import { isTextField } from '../../page/text-field.ts'
import { inWords } from '../../page/house-words.ts'

type DetailProps<T> = {
  of: T | undefined
  title: string
  picture: ReactNode
  state?: ReactNode
  /** The most used first; the same objects as in its list's rows. */
  actions: readonly RowAction<T>[]
  primary?: string
  /** The keys of those that are buttons, where all would push the page down: the main one first, two where it is narrow. */
  inSight?: readonly string[]
  children: ReactNode
}

/** One thing, with its title in sight above the rest, as a page or a panel beside its list. */
export function Detail<T>(props: DetailProps<T>) {
  const { of, title, picture, state, actions, primary, inSight, children } = props
  const beside = useContext(Beside)
  const heading = useRef<HTMLHeadingElement>(null)
  const { pathname, state: left } = useLocation()
  const follows = isLed(left)
  const isBeside = beside !== null
  const isKnown = of !== undefined
  const isPhone = useIsPhone()
  const named = isPhone || isBeside ? inSight?.slice(0, 2) : inSight
  const { buttons, rest, run } = useOffered(of, actions, named ?? (isBeside ? 2 : actions.length))
  // On a phone it would stand alone under the buttons.
  const menu = rest.length > 0 ? <ActionMenu label="Autres actions" actions={rest} onRun={run} /> : null
  useEffect(() => {
    const before = document.title
    document.title = `${title} · Comptoir`
    return () => {
      document.title = before
    }
  }, [title])
  useEffect(() => {
    const active = document.activeElement
    // Nothing takes the focus from somebody who writes or goes through the rows, or before anything was touched.
    if (!isBeside || !isKnown || follows || active === document.body || isTextField(active)) return
    // A new focus makes readers say the next title too.
    heading.current?.blur()
    heading.current?.focus({ preventScroll: true })
  }, [isBeside, pathname, isKnown, follows])
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
        {isPhone ? menu : null}
        {beside ? (
          <>
            <WidthButton />
            <CloseButton
              aria-label="Fermer la fiche"
              title="Fermer la fiche (Échap)"
              size="lg"
              onClick={beside.close}
            />
          </>
        ) : null}
      </div>
      {buttons.length === 0 && (isPhone || menu === null) ? null : (
        <div className={styles['actions']}>
          {buttons.map((action) => (
            <Button
              key={action.key}
              variant={action.key === (inSight?.[0] ?? primary) ? 'filled' : 'default'}
              leftSection={<action.Icon size="1.2em" aria-hidden />}
              onClick={() => run(action)}
            >
              {inWords(action.label)}
            </Button>
          ))}
          {isPhone ? null : menu}
        </div>
      )}
      {children}
    </div>
  )
}

function WidthButton() {
  const isWide = usePreferences().is_panel_wide
  const label = isWide ? 'Rétrécir la fiche' : 'Élargir la fiche'
  const Icon = isWide ? IconLayoutSidebarRightCollapse : IconLayoutSidebarRightExpand
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => setPreference('is_panel_wide', !isWide)}
    >
      <Icon size="1.25rem" aria-hidden />
    </ActionIcon>
  )
}

type Offered<T> = {
  buttons: readonly RowAction<T>[]
  rest: readonly RowAction<T>[]
  run: (action: RowAction<T>) => void
}

/** What may be done with it: those that are named, or the first few, are buttons; the rest stand in a menu. */
function useOffered<T>(
  of: T | undefined,
  actions: readonly RowAction<T>[],
  inSight: readonly string[] | number,
): Offered<T> {
  const runOnce = useRunOnce()
  const hold = useContext(Beside)?.hold
  if (of === undefined) return { buttons: [], rest: [], run: () => undefined }
  const offered = actions.filter((action) => mayRun(action, of))
  const buttons =
    typeof inSight === 'number'
      ? offered.filter(({ tone }) => tone !== 'bad').slice(0, inSight)
      : inSight.flatMap((wanted) => offered.find(({ key }) => key === wanted) ?? [])
  return {
    buttons,
    rest: offered.filter((action) => !buttons.includes(action)),
    run: ({ key, run: act }) => {
      hold?.()
      runOnce(key, () => act(of))
    },
  }
}
