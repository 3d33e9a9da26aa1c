import { IconAlertTriangle, IconClock, IconCloudUpload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'

import { nothingHeld, readHeld } from '../../offline/held-entries.ts'
import { useConnection } from '../api/connection.ts'
import { useOutboxReading } from '../waiting/waiting-data.ts'
import styles from './top-bar.module.css'
import { waitingWords } from './waiting-words.ts'

const icons = { wait: IconCloudUpload, warn: IconClock, bad: IconAlertTriangle }

/** What waits on this device, whoever did it, and for how long: one tap away from every screen. */
export function WaitingBadge() {
  const held = useOutboxReading(readHeld, nothingHeld)
  const isOnline = useConnection() === 'online'
  const words = waitingWords(held, useMinute(held.oldest_at), isOnline)
  if (!words) return null
  const Icon = icons[words.tone]
  return (
    <Link
      to="/waiting"
      className={styles['waiting'] ?? ''}
      aria-label={words.sentence}
      title={words.sentence}
    >
      <span className="tag" data-tone={words.tone}>
        <Icon size="1.1em" aria-hidden />
        {words.text}
      </span>
    </Link>
  )
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
