import type { Entry } from '../../offline/entry.ts'
import { getEntry } from '../../offline/outbox.ts'
import { watchOutbox } from '../../offline/outbox-news.ts'
import { follow, kindOf, knownEntry, subscribe } from './outbox-entries.ts'

const patienceMs = 8_000

/** For a form that waits: `waiting` when off line or after 8 seconds; the action is kept all the same. */
export async function answerOf(
  id: string,
  isOnline: () => boolean,
): Promise<{ kind: 'done' | 'refused' | 'waiting'; entry: Entry | null }> {
  let stop = () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const settled = new Promise<Entry | null>((resolve) => {
    const look = () =>
      void getEntry(id).then(
        (entry) => {
          // Queued again after a try: the server did not answer, so waiting longer is useless.
          if (entry && (kindOf(entry) !== 'waiting' || (entry.state === 'queued' && entry.attempts > 0)))
            resolve(entry)
        },
        () => resolve(null),
      )
    stop = watchOutbox(look)
    look()
    timer = setTimeout(() => resolve(null), isOnline() ? patienceMs : 0)
  })
  try {
    const entry = (await settled) ?? (await getEntry(id).catch(() => null))
    return { kind: entry ? kindOf(entry) : 'waiting', entry }
  } finally {
    stop()
    clearTimeout(timer)
  }
}

/** How it ends at last, however late; null where its person has left before. */
export async function endOf(id: string): Promise<'done' | 'refused' | null> {
  const letGo = follow(id)
  let stop = () => {}
  const ended = new Promise<'done' | 'refused' | null>((resolve) => {
    let wasKnown = false
    const look = () => {
      const entry = knownEntry(id)
      const kind = entry ? kindOf(entry) : wasKnown ? null : 'waiting'
      wasKnown ||= entry !== undefined
      if (kind !== 'waiting') resolve(kind)
    }
    stop = subscribe(look)
    look()
  })
  return ended.finally(() => {
    stop()
    letGo()
  })
}
