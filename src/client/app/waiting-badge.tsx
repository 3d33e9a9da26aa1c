import { IconAlertTriangle, IconClock, IconCloudUpload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'

import { shortAge } from '../../offline/age.ts'
import { nothingHeld, readHeld, type HeldEntries } from '../../offline/held-entries.ts'
import { useConnection } from '../api/connection.ts'
import { useOutboxReading } from '../outbox/waiting-data.ts'
import { counted } from '../ui/words.ts'
import styles from './top-bar.module.css'

const minuteMs = 60_000
/** The server answers, and yet something waits: someone should look. */
const oddMs = 15 * minuteMs
/** Without a network: half a day at the counter. */
const longMs = 240 * minuteMs

type WaitingWords = { tone: 'wait' | 'warn' | 'bad'; figure: number; words: string; sentence: string }

/** « 3 actions en attente », or « 1 à régler » of them, and all of it as a sentence; null when nothing waits. `now` in epoch milliseconds. */
export function waitingWords(
  { waiting, conflicts, quarantined, oldest_at }: HeldEntries,
  now: number,
  isOnline: boolean,
): WaitingWords | null {
  const refused = conflicts + quarantined
  const count = waiting + refused
  if (count === 0) return null
  const age = oldest_at === null ? 0 : now - Date.parse(oldest_at)
  const isOld = age > longMs || (isOnline && age > oddMs)
  const since = age < minuteMs ? '' : shortAge(age)
  return {
    tone: refused > 0 ? 'bad' : isOld ? 'warn' : 'wait',
    figure: refused || count,
    words: refused > 0 ? 'à régler' : count > 1 ? 'actions en attente' : 'action en attente',
    sentence: [
      counted(count, 'action en attente', 'actions en attente'),
      since && (count > 1 ? `, la plus ancienne depuis ${since}` : ` depuis ${since}`),
      refused > 0 && `, dont ${refused} à régler`,
    ]
      .filter(Boolean)
      .join(''),
  }
}

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
      <span className="tag toned" data-tone={words.tone} aria-hidden>
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
