import { Button, VisuallyHidden } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  Fragment,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Link } from 'react-router-dom'

import { type Counted, totalOf } from '../../../contract/list.ts'
import { changeView } from '../../../contract/views.ts'
import { frenchNumber } from '../../../domain/french-number.ts'
import { changesSaved } from '../../../domain/sentences/lists.ts'
import { useConnection } from '../../api/connection.ts'
import { listQuery, useChange } from '../../api/queries.ts'
import { inWords, useInWords } from '../../page/house-words.ts'
import { say, sayError } from '../../page/messages.ts'
import { useOpenDetail } from './open-detail.ts'
import { useSearchWhileHere } from './search-while-here.ts'
import type { ListViews, Neighbour, ViewTab } from './use-list-views.ts'
import { ViewMenu } from './view-menu.tsx'
import styles from './view-tabs.module.css'

const AddView = lazy(() =>
  import('./view-dialogs.tsx').then(({ AddView: Component }) => ({ default: Component })),
)

type ViewTabsProps = {
  views: ListViews
  hide: (hidden: readonly string[] | null) => void
  total: number | undefined
}

/** A list's views as links, for back and sent addresses. */
export function ViewTabs({ views, hide, total }: ViewTabsProps) {
  const { tabs, current, base, isChanged } = views
  const nav = useCurrentInSight(`${current?.key} ${tabs.length}`)
  return (
    <div className={styles['bar']}>
      <div className={styles['line']}>
        <nav ref={nav} aria-label="Vues" className={styles['views']}>
          <ul>
            {tabs.map((tab, at) => (
              <Fragment key={tab.key}>
                <li>
                  <TabLink tab={tab} isCurrent={tab === current}>
                    {tab.counted ? (
                      <Count tab={tab} endpoint={views.endpoint} total={total} isCurrent={tab === current} />
                    ) : null}
                  </TabLink>
                  {tab.kept && tab.kept === base && base.may_change ? (
                    <ViewMenu view={base} hide={hide} />
                  ) : null}
                </li>
                {at === 0 ? views.neighbours.map((one) => <NeighbourTab key={one.key} of={one} />) : null}
              </Fragment>
            ))}
          </ul>
        </nav>
        <AddButton views={views} hide={hide} />
      </div>
      {isChanged && base ? <Changes views={views} hide={hide} base={base} /> : null}
    </div>
  )
}

/** The row of the views on a screen of the same subject that has no views of its own. */
export function NeighbourTabs({ tabs, current }: { tabs: readonly Neighbour[]; current: string }) {
  const nav = useCurrentInSight(`${current} ${tabs.length}`)
  return (
    <div className={styles['bar']}>
      <div className={styles['line']}>
        <nav ref={nav} aria-label="Vues" className={styles['views']}>
          <ul>
            {tabs.map((one) => (
              <NeighbourTab key={one.key} of={one} isCurrent={one.key === current} />
            ))}
          </ul>
        </nav>
      </div>
    </div>
  )
}

function NeighbourTab({
  of: { name, to, count },
  isCurrent = false,
}: {
  of: Neighbour
  isCurrent?: boolean
}) {
  return (
    <li>
      <Link
        to={to}
        className={styles['tab'] ?? ''}
        aria-current={isCurrent ? 'page' : undefined}
        onKeyDown={moveFocus}
      >
        <span className={styles['name']}>{inWords(name)}</span>
        {count === undefined ? null : (
          <span className={styles['count']} data-few>
            {count > 0 ? frenchNumber(count) : null}
          </span>
        )}
      </Link>
    </li>
  )
}

/** Keeps the current view in sight with its menu, even when a detail takes half of the room, and notes on which sides there are more. */
function useCurrentInSight(shown: string): RefObject<HTMLElement | null> {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const views = nav.current
    if (views === null) return
    const noteMore = () => {
      const after = views.scrollWidth - views.clientWidth - views.scrollLeft
      views.toggleAttribute('data-before', views.scrollLeft > 1)
      views.toggleAttribute('data-more', after > 1)
    }
    const look = () => {
      const tab = views.querySelector<HTMLElement>('li:has([aria-current])')
      if (tab !== null) {
        const spare = (views.clientWidth - tab.offsetWidth) / 2
        views.scrollLeft = tab.offsetLeft - Math.max(0, spare)
      }
      noteMore()
    }
    const observer = new ResizeObserver(look)
    observer.observe(views)
    views.addEventListener('scroll', noteMore)
    look()
    return () => {
      observer.disconnect()
      views.removeEventListener('scroll', noteMore)
    }
  }, [shown])
  return nav
}

const asHigh = { h: 'var(--view-height)', mih: 0 }

type TabLinkProps = { tab: ViewTab; isCurrent: boolean; children: ReactNode }

function TabLink({ tab: { name: own, search, kept }, isCurrent, children }: TabLinkProps) {
  const inWords = useInWords()
  const name = kept ? own : inWords(own)
  const { stay } = useOpenDetail()
  const shared = kept?.shared ? (kept.mine ? 'partagée avec l’équipe' : `partagée par ${kept.owner}`) : null
  return (
    <Link
      to={{ search }}
      {...stay}
      className={styles['tab'] ?? ''}
      aria-current={isCurrent ? 'page' : undefined}
      title={shared ? `${name} (${shared})` : name}
      onKeyDown={moveFocus}
    >
      <span className={styles['name']}>{name}</span>
      {shared ? (
        <>
          <IconUsers size="1em" aria-hidden />
          <VisuallyHidden component="span"> ({shared})</VisuallyHidden>
        </>
      ) : null}
      {children}
    </Link>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (step === undefined) return
  const links = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLElement>('li > a') ?? [])]
  links.at((links.indexOf(event.currentTarget) + step) % links.length)?.focus()
  event.preventDefault()
}

type CountProps = Pick<ViewTabsProps, 'total'> &
  Pick<ListViews, 'endpoint'> & { tab: ViewTab; isCurrent: boolean }

/** The shown list's count is known; the others are fetched after it. */
function Count({ tab, endpoint, total, isCurrent }: CountProps) {
  const isOnline = useConnection() === 'online'
  const { data } = useQuery({
    ...listQuery(endpoint, { limit: 1, filters: tab.counted ?? [] }),
    enabled: isOnline && !isCurrent && total !== undefined,
  })
  const count = (isCurrent ? total : undefined) ?? totalOf(data as Counted | undefined)
  return <span className={styles['count']}>{count ? frenchNumber(count) : null}</span>
}

function AddButton({ views, hide }: Pick<ViewTabsProps, 'views' | 'hide'>) {
  const [isOpen, setOpen] = useState(false)
  const isOffline = useConnection() === 'offline'
  const reason = useId()
  const { location, go } = useSearchWhileHere()
  return (
    <>
      <Button
        variant="subtle"
        px="sm"
        miw="2.75rem"
        {...asHigh}
        aria-label="Ajouter une vue"
        onClick={() => setOpen(!isOffline)}
        {...(isOffline
          ? { 'aria-disabled': true, 'data-disabled': true, 'aria-describedby': reason, title: needsNetwork }
          : {})}
      >
        <IconPlus size="1.1em" aria-hidden />
        <span className={styles['word']}>Vue</span>
      </Button>
      {isOffline ? (
        <VisuallyHidden component="span" id={reason}>
          {needsNetwork}
        </VisuallyHidden>
      ) : null}
      {isOpen ? (
        <Suspense fallback={null}>
          <AddView
            list={views.list}
            content={views.content}
            onClose={() => setOpen(false)}
            onAdded={(view) => {
              if (views.base) hide(null)
              go(views.searchOf(view), location)
              setOpen(false)
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}

const needsNetwork = 'Hors ligne\u202f: une vue s’ajoute quand le réseau est là.'

type ChangesProps = Pick<ViewTabsProps, 'views' | 'hide'> & { base: NonNullable<ListViews['base']> }

/** Shown when one's own view differs from how it was kept. */
function Changes({ views: { content, searchOf }, hide, base }: ChangesProps) {
  const { mutateAsync, isPending } = useChange(changeView)
  const { location, go } = useSearchWhileHere()
  const save = () =>
    void mutateAsync({ params: { id: base.id }, body: { content } }).then((saved) => {
      hide(null)
      go(searchOf(saved), location)
      say(changesSaved, 'good', { about: saved.name })
    }, sayError)
  const putBack = () => {
    hide(null)
    go(searchOf(base), location)
  }
  return (
    <div className={styles['changes']}>
      <Button variant="subtle" px="sm" {...asHigh} onClick={putBack}>
        Annuler les changements
      </Button>
      <Button variant="light" px="sm" {...asHigh} loading={isPending} onClick={save}>
        Enregistrer la vue
      </Button>
    </div>
  )
}
