import { IconAlertTriangle, IconClock, IconCloudUpload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'

import { nothingHeld, readHeld } from '../../offline/held-entries.ts'
import { useConnection } from '../api/connection.ts'
import { useOutboxReading } from '../outbox/waiting-data.ts'
import styles from './top-bar.module.css'
import { waitingWords } from './waiting-words.ts'

const icons = { wait: IconCloudUpload, warn: IconClock, bad: IconAlertTriangle }

/** What waits on this device, whoever did it, and for how long: one tap away from every screen. */
export function WaitingBadge() {
  const held = useOutboxReading(readHeld, nothingHeld)
  const isOnline = useConnection() === 'online'
  useIconBadge(held.waiting + held.conflicts + held.quarantined)
  const words = waitingWords(held, useMinute(held.oldest_at), isOnline)
  if (!words) return null
  const Icon = icons[words.tone]
  return (
    // The title names it, because a label without the visible figures would hide it from voice control.
    <Link to="/waiting" className={styles['waiting'] ?? ''} title={words.sentence}>
      <span className="tag" data-tone={words.tone} aria-hidden>
        <Icon size="1.1em" />
        {words.figure}
        <span className={styles['word']}> {words.words}</span>
      </span>
    </Link>
  )
}

/** The same count on the icon of the installed application, where the system shows one. */
function useIconBadge(count: number): void {
  useEffect(() => {
    // Refused where the application is not installed.
    navigator.setAppBadge?.(count).catch(() => undefined)
  }, [count])
}

/** Now, kept to the minute while something waits and the page is seen. */
function useMinute(oldest_at: string | null): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (oldest_at === null) return undefined
    const look = () => {
      if (document.visibilityState === 'visible') setNow(Date.now())
    }
    look()
    const timer = setInterval(look, 60_000)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [oldest_at])
  return now
}
