import { Button, Group } from '@mantine/core'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Workbox } from 'workbox-window'

import { type StoreTrouble, storeTrouble, watchStoreTrouble } from '../../offline/device-store.ts'
import { inWords } from '../page/house-words.ts'
import { useIsBasketHalfMade } from '../ui/forms/basket-guard.ts'
import styles from './update-prompt.module.css'

/** For a line's `ref`: bars at a page's foot keep clear of `--notice`, how high the line reaches from below. */
function tellNotice(line: HTMLElement | null) {
  if (!line) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    const { bottom } = getComputedStyle(line)
    style.setProperty('--notice', `calc(${line.offsetHeight}px + ${bottom} + 0.5rem)`)
  })
  observer.observe(line)
  return () => {
    observer.disconnect()
    style.removeProperty('--notice')
  }
}

const sentences: Record<StoreTrouble, string> = {
  blocked:
    'Une ancienne page de Comptoir empêche celle-ci d’enregistrer\u202f: fermez les autres onglets de Comptoir.',
  outdated:
    'Une version plus récente de Comptoir est ouverte sur cet appareil\u202f: cette page n’enregistre plus rien. Rechargez-la.',
}

/** What to do when the device's store cannot be used, and so keeps nothing done here. */
function StoreTroubleLine({ trouble }: { trouble: StoreTrouble }) {
  return (
    <div ref={tellNotice} className={styles['line']} data-tone="bad" role="alert">
      <span className={styles['words']}>{sentences[trouble]}</span>
      {trouble === 'outdated' ? <Button onClick={() => location.reload()}>Recharger la page</Button> : null}
    </div>
  )
}

const hour = 3600_000

/** `waiting`: a new version is ready; `in-place`: another tab took it, and this page is the old one. */
type Update = 'none' | 'waiting' | 'in-place'

/** Offers new versions, never in the middle of a basket; a broken store is told first. */
export default function UpdatePrompt() {
  const { update, apply, putOff } = useUpdates()
  const isHalfMade = useIsBasketHalfMade()
  const trouble = useSyncExternalStore(watchStoreTrouble, storeTrouble)
  if (trouble !== null) return <StoreTroubleLine trouble={trouble} />
  return update === 'none' ? null : <UpdateLine isHalfMade={isHalfMade} onApply={apply} onLater={putOff} />
}

type LineProps = { isHalfMade: boolean; onApply: () => void; onLater: () => void }

/** The line itself; while a basket is half made its button explains and waits. */
export function UpdateLine({ isHalfMade, onApply, onLater }: LineProps) {
  const [isAsked, setAsked] = useState(false)
  const mustWait = isAsked && isHalfMade
  return (
    <div ref={tellNotice} className={styles['line']} role="status">
      <span className={styles['words']}>
        {mustWait
          ? inWords('Un prêt ou un retour est commencé : enregistrez-le ou videz-le, la mise à jour attend.')
          : 'Une nouvelle version est prête'}
      </span>
      <Group gap="xs" wrap="nowrap">
        <Button disabled={mustWait} onClick={() => (isHalfMade ? setAsked(true) : onApply())}>
          Mettre à jour
        </Button>
        <Button variant="subtle" color="gray" c="inherit" onClick={onLater}>
          Plus tard
        </Button>
      </Group>
    </div>
  )
}

function useUpdates(): { update: Update; apply: () => void; putOff: () => void } {
  const [update, setUpdate] = useState<Update>('none')
  const worker = useRef<Workbox | null>(null)
  const isAsked = useRef(false)
  const isReloading = useRef(false)

  const reload = () => {
    if (isReloading.current) return
    isReloading.current = true
    location.reload()
  }

  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return undefined
    let timer: ReturnType<typeof setInterval> | undefined
    let isOver = false
    const start = async () => {
      const { Workbox } = await import('workbox-window')
      // Once a page: the effect may run twice, the worker is registered once.
      if (isOver || worker.current) return
      const workbox = new Workbox('/sw.js', { type: 'classic', updateViaCache: 'none' })
      worker.current = workbox
      // The first worker of a slow device waits as well, for a moment: it is new only over an older one.
      workbox.addEventListener('waiting', () => {
        void navigator.serviceWorker.getRegistration().then((found) => {
          if (found?.waiting && found.active) setUpdate('waiting')
        })
      })
      workbox.addEventListener('controlling', ({ isExternal, isUpdate }) => {
        if (isAsked.current) reload()
        else if (isUpdate || isExternal) setUpdate('in-place')
      })
      try {
        await workbox.register()
      } catch (error) {
        // The network may have gone meanwhile: without a worker the page would not open off line.
        worker.current = null
        if (!isOver) addEventListener('online', begin, { once: true })
        throw error
      }
      // Tablets stay open for days.
      timer = setInterval(() => {
        if (document.visibilityState === 'visible') workbox.update().catch(() => undefined)
      }, hour)
    }
    // The first screen comes first. Without a worker the app still works on line.
    const begin = () => void start().catch(() => undefined)
    if (document.readyState === 'complete') begin()
    else addEventListener('load', begin, { once: true })
    return () => {
      isOver = true
      clearInterval(timer)
      removeEventListener('load', begin)
      removeEventListener('online', begin)
    }
  }, [])

  const apply = () => {
    if (update === 'in-place') {
      reload()
      return
    }
    isAsked.current = true
    worker.current?.messageSkipWaiting()
  }
  return { update, apply, putOff: () => setUpdate('none') }
}
