import { Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import * as v from 'valibot'

import { personOf } from '../../offline/entry.ts'
import { CallError } from '../api/call-error.ts'
import { useConnection } from '../api/connection.ts'
import { currentSession, useRights } from '../api/session.ts'
import OfferCopy from '../catalogue/offer-copy.tsx'
import { inWords } from '../page/house-words.ts'
import { currentPreferences } from '../page/preferences.ts'
import { signalScan } from '../scanner/scan-feedback.ts'
import { type ScanHandler, takeBeneath } from '../scanner/scan-source.tsx'
import { keepNotTaken } from '../scanner/scans-not-taken.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { hasEveryWord } from '../ui/every-word.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { counted } from '../ui/words.ts'
import { FindList, type Row, rowsOf } from './find-list.tsx'
import styles from './find.module.css'
import { finders, type Has } from './finders.ts'
import { type Hit, hitSchema } from './hit.ts'
import { openScan } from './open-scan.ts'

// It names readers, so it leaves with the session (leaveSession, client/api/session.ts).
const storageKey = 'recent_finds'
/** Some for each of several sites. */
const mostKept = 40

const keptSchema = v.object({
  person: v.string(),
  finds: v.array(v.object({ site: v.number(), hit: hitSchema })),
})
type Kept = v.InferOutput<typeof keptSchema>

/** Null until the signed-in person is known. */
function readKept(): Kept | null {
  const session = currentSession()
  if (!session?.user || session.environment_id === null) return null
  const person = personOf({ environment_id: session.environment_id, user_id: session.user.id })
  try {
    const kept = v.safeParse(keptSchema, JSON.parse(localStorage.getItem(storageKey) ?? 'null'))
    if (kept.success && kept.output.person === person) return kept.output
  } catch {
    // Not ours any more, or storage is forbidden: there are none.
  }
  return { person, finds: [] }
}

const currentSite = (): number => currentSession()?.site?.id ?? 0

/** Opened at this site and still open to the person, latest first. */
function recentFinds(has: Has, isOpenScreen: (path: string) => boolean): Hit[] {
  const isOpen = ({ kind, to }: Hit) =>
    kind === 'screen' || kind === 'setting'
      ? isOpenScreen(to)
      : finders.some((finder) => finder.kind === kind && finder.may(has))
  return (readKept()?.finds ?? [])
    .filter(({ site, hit }) => site === currentSite() && isOpen(hit))
    .map(({ hit }) => hit)
    .slice(0, mostHits)
}

function rememberFind(hit: Hit): void {
  const kept = readKept()
  if (!kept) return
  const site = currentSite()
  const others = kept.finds.filter((one) => one.site !== site || one.hit.key !== hit.key)
  const finds = [{ site, hit }, ...others].slice(0, mostKept)
  try {
    localStorage.setItem(storageKey, JSON.stringify({ person: kept.person, finds }))
  } catch {
    // Storage is full or forbidden: nothing is recent.
  }
}

/** Shorter than for lists, because only this list waits. */
const pauseMs = 120
/** Recent hits come first but leave room for others. */
const mostRecent = 3

type FindScreens = (typed: string) => Hit[]

/** Recent hits while nothing is typed. `error`: why the server told nothing. */
function useFind(typed: string, findScreens: FindScreens) {
  const rights = useRights()
  const has: Has = (right) => rights.includes(right)
  const isOnline = useConnection() === 'online'
  const still = useDebounced(typed, pauseMs)
  const [recent] = useState(() => {
    const open = findScreens('')
    return recentFinds(has, (path) => open.some(({ to }) => to === path))
  })
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['find', still],
    queryFn: ({ signal }) => findOnServer(still, has, signal),
    enabled: isOnline && still !== '',
    placeholderData: keepPreviousData,
    // A title lent a moment ago must not be shown as before.
    staleTime: 0,
  })
  const isAnswered = still === typed && !isPlaceholderData && (data !== undefined || error !== null)
  const isSearching = isOnline && typed !== '' && !isAnswered
  const found = isOnline && data ? (isAnswered ? data : stillFitting(data, typed)) : []
  const isLocal = ({ kind }: Hit) => isOnline || kind === 'screen' || kind === 'setting'
  const reachable = recent.filter(isLocal)
  const lists =
    typed === ''
      ? []
      : [
          exactlyOf(found, typed),
          reachable.filter((hit) => isFitting(hit, typed)).slice(0, mostRecent),
          findScreens(typed),
          ...found,
        ]
  return {
    hits: typed === '' ? reachable : bestOf(lists),
    isCut: hasMore(lists, found),
    isOnline,
    isSearching,
    error: isAnswered && typed !== '' ? error : null,
    has,
    /** Asks again for what was not there a moment ago. */
    again: () => void refetch(),
  }
}

type FindDialogProps = {
  /** Those open to the person that fit the text; all for an empty text. */
  findScreens: FindScreens
  onClose: () => void
}

/** Enter opens a hit, the right arrow unfolds where else it leads. Nothing here acts. */
export function FindDialog({ findScreens, onClose }: FindDialogProps) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const listId = useId()
  const [text, setText] = useState('')
  const typed = text.trim()
  const { hits, isCut, isOnline, isSearching, error, has, again } = useFind(typed, findScreens)
  const [chosen, setChosen] = useState<string | null>(null)
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const [unknown, setUnknown] = useState<{ code: string; mayBeAdded: boolean } | null>(null)
  const rows = rowsOf(hits, unfolded)
  const at = rows.findIndex(({ id }) => id === chosen)
  // After typing the best hit is active at once; among recent ones none is until chosen.
  const active = rows[at] ?? (typed === '' ? undefined : rows[0])

  const change = (next: string) => {
    setText(next)
    setChosen(null)
    setUnfolded(null)
    setUnknown(null)
  }
  const go = (to: string) => {
    onClose()
    void navigate(to)
  }
  const open = ({ hit, to }: Row) => {
    rememberFind(hit)
    go(to)
  }
  const unfold = (hit: Hit) => {
    setUnfolded(hit.key)
    setChosen(hit.actions[0] ? `${hit.key} 0` : hit.key)
  }
  const fold = (hit: Hit) => {
    setUnfolded(null)
    setChosen(hit.key)
  }
  const asked = useRef<{ code: string } | null>(null)
  useEffect(() => () => void (asked.current = null), [])
  const takeScan: ScanHandler = (code, symbology) => {
    if (takeBeneath(code, symbology)) return onClose()
    const sound = currentPreferences()
    const own = { code }
    asked.current = own
    // A later scan or closing the search makes this answer void, but not the code.
    const isOver = () => asked.current !== own
    const keep = () => {
      if (asked.current?.code !== code) keepNotTaken(code, symbology)
    }
    openScan(client, has, code, symbology).then(
      ({ to, unknown: nobodys }) => {
        if (isOver()) return keep()
        signalScan(to === null ? 'refusal' : 'success', sound)
        if (to !== null) return go(to)
        change(code)
        setUnknown({ code: nobodys ?? code, mayBeAdded: nobodys !== null })
      },
      () => (isOver() ? keep() : change(code)),
    )
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || rows.length === 0) return
    const { selectionStart, selectionEnd, value } = event.currentTarget
    const isAtEnd = selectionStart === value.length && selectionEnd === value.length
    const from = active ? rows.indexOf(active) : -1
    const to = (index: number) => setChosen(rows[(index + rows.length) % rows.length]?.id ?? null)
    const { key } = event
    if (key === 'ArrowDown') to(from + 1)
    else if (key === 'ArrowUp') to(Math.max(from, 0) - 1)
    else if (!active) return
    else if (key === 'ArrowRight' && isAtEnd && !active.isAction && active.hit.actions.length > 0)
      unfold(active.hit)
    else if (key === 'ArrowLeft' && unfolded === active.hit.key) fold(active.hit)
    // A repeated Enter is the one that opened the search.
    else if (key === 'Enter' && !event.repeat) open(active)
    else return
    event.preventDefault()
  }

  return (
    <Dialog
      title="Rechercher"
      size="40rem"
      centered={false}
      yOffset="8dvh"
      onClose={onClose}
      onScan={takeScan}
    >
      <TextInput
        data-autofocus
        mt={4}
        type="search"
        role="combobox"
        aria-label="Rechercher partout"
        aria-expanded={rows.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active ? `${listId}${active.id}` : undefined}
        placeholder={isOnline ? inWords('Titre, lecteur, code-barres, écran…') : 'Écran ou réglage'}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={100}
        leftSection={<IconSearch size="1.2rem" aria-hidden />}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Text size="sm" c="dimmed" my="xs" role="status">
        {unknown === null
          ? sentenceOf({ count: hits.length, isCut, typed, isOnline, isSearching, error })
          : `Aucun exemplaire ni lecteur à ouvrir ne porte «\u00a0${unknown.code}\u00a0».`}
      </Text>
      {unknown?.mayBeAdded ? (
        <OfferCopy
          mb="xs"
          code={unknown.code}
          onAdded={() => {
            change(unknown.code)
            again()
          }}
        />
      ) : null}
      <FindList
        id={listId}
        rows={rows}
        activeId={active?.id ?? null}
        unfolded={unfolded}
        onOpen={open}
        onUnfold={unfold}
        onFold={fold}
      />
      <p className={styles['keys']} aria-hidden>
        <kbd>↑</kbd> <kbd>↓</kbd> choisir · <kbd>Entrée</kbd> ouvrir · <kbd>→</kbd> actions · <kbd>Échap</kbd>{' '}
        fermer
      </p>
    </Dialog>
  )
}

type Standing = {
  count: number
  isCut: boolean
  typed: string
  isOnline: boolean
  isSearching: boolean
  error: Error | null
}

function sentenceOf({ count, isCut, typed, isOnline, isSearching, error }: Standing): string {
  const offline = isOnline ? '' : 'Hors ligne, seuls les écrans se trouvent. '
  if (typed === '')
    return offline + (count > 0 ? 'Ouverts récemment' : 'Ce que vous ouvrirez d’ici y restera sous la main.')
  if (isSearching) return 'Recherche…'
  if (error) return error instanceof CallError ? error.message : 'Une erreur inattendue s’est produite.'
  if (isCut) return `${offline}${count} premiers résultats`
  return offline + (count === 0 ? 'Aucun résultat.' : counted(count, 'résultat', 'résultats'))
}

export const mostHits = 8

/** A finder that fails does not stop the others; if all fail, throws the first failure. */
async function findOnServer(text: string, has: Has, signal: AbortSignal): Promise<Hit[][]> {
  const asked = finders.filter(({ may, shortest }) => may(has) && text.length >= shortest)
  const answers = await Promise.allSettled(asked.map(({ find }) => find(text, has, signal)))
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const failure = answers.find((answer) => answer.status === 'rejected')
  if (found.length === 0 && failure) throw failure.reason
  return found
}

/** Hits of an earlier text that also fit what is typed now. */
export const stillFitting = (found: readonly Hit[][], typed: string): Hit[][] =>
  found.map((hits) => hits.filter((hit) => isFitting(hit, typed)))

export const isFitting = ({ title, detail }: Hit, typed: string): boolean =>
  hasEveryWord(`${title} ${detail}`, typed)

/** Those that carry the very code that was typed. */
export function exactlyOf(lists: readonly (readonly Hit[])[], typed: string): Hit[] {
  const code = typed.toLowerCase()
  return lists.flat().filter(({ detail }) => detail.toLowerCase().split(' · ').includes(code))
}

/** Shares the room fairly between lists, and shows what is found twice once. */
export function bestOf(lists: readonly (readonly Hit[])[]): Hit[] {
  const seen = new Set<string>()
  const once = lists.map((hits) => hits.filter(({ key }) => !seen.has(key) && seen.add(key)))
  const taken = once.map(() => 0)
  for (let left = mostHits, before = -1; left !== before;) {
    before = left
    for (const [at, hits] of once.entries()) {
      if (left === 0 || (taken[at] ?? 0) >= hits.length) continue
      taken[at] = (taken[at] ?? 0) + 1
      left -= 1
    }
  }
  return once.flatMap((hits, at) => hits.slice(0, taken[at]))
}

/** Whether more was found than is shown, or may be: a finder asks for no more than there is room for. */
export const hasMore = (lists: readonly (readonly Hit[])[], found: readonly (readonly Hit[])[]): boolean =>
  found.some((hits) => hits.length >= mostHits) ||
  new Set(lists.flatMap((hits) => hits.map(({ key }) => key))).size > mostHits
