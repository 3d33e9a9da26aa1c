import { Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type NavigateOptions, useNavigate } from 'react-router-dom'
import * as v from 'valibot'

import { personOf } from '../../offline/entry.ts'
import { CallError } from '../api/call-error.ts'
import { useConnection } from '../api/connection.ts'
import { currentSession, useRights, useSession } from '../api/session.ts'
import OfferCopy from '../catalogue/offer-copy.tsx'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'
import { currentPreferences } from '../page/preferences.ts'
import { signalScan } from '../scanner/scan-feedback.ts'
import { type ScanHandler, takeBeneath } from '../scanner/scan-source.tsx'
import { keepNotTaken } from '../scanner/scans-not-taken.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { begunBy } from '../ui/begun.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { counted } from '../ui/words.ts'
import { actNamed, actOfReader, actWithoutRight, findActs, hitOfDays, withoutDays } from './act-hits.ts'
import { bestOf, exactlyOf, hasMore, isFitting, mostHits, stillFitting, withoutDoubles } from './best-hits.ts'
import { FindList, isFoldable, type Row, rowsOf } from './find-list.tsx'
import styles from './find.module.css'
import { type Asking, finders, findReadersFor, type Found } from './finders.ts'
import { type Hit, keptHitSchema } from './hit.ts'
import type { Has } from './hits.ts'
import { openScan } from './open-scan.ts'

// It names readers, so it leaves with the session (leaveSession, client/api/session.ts).
const storageKey = 'recent_finds'
/** Some for each of several sites. */
const mostKept = 40

const keptSchema = v.object({
  person: v.string(),
  finds: v.array(v.object({ site: v.number(), hit: keptHitSchema })),
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
  const isOpen = ({ kind, act, to }: Hit) => {
    if (kind === 'screen' || kind === 'setting') return isOpenScreen(to)
    if (kind === 'act') return actNamed(act)?.rights.every(has) ?? false
    return finders.some((finder) => finder.kind === kind && finder.may(has))
  }
  return (readKept()?.finds ?? [])
    .filter(({ site, hit }) => site === currentSite() && isOpen(hit))
    .map(({ hit }) => hit)
    .slice(0, mostHits)
}

/** A list is none, and what is free at this moment is not kept. */
function rememberFind(opened: Hit): void {
  const kept = readKept()
  const read = v.safeParse(keptHitSchema, opened)
  if (!kept || !read.success) return
  const hit = read.output
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

type Told = { ofReader: readonly Hit[]; told: readonly Found[] }
const nothing: Told = { ofReader: [], told: [] }

/** Without the act that stands before it. */
const nameIn = (typed: string, has: Has): string => actOfReader(has, typed)?.name ?? typed

/** Recent hits while nothing is typed. `error`: why the server told nothing. */
function useFind(typed: string, findScreens: FindScreens) {
  const rights = useRights()
  const has: Has = (right) => rights.includes(right)
  const place = { site: useSession()?.site?.id ?? 0, isMultisite: useIsMultisite(), today: useToday() }
  const isOnline = useConnection() === 'online'
  const still = useDebounced(typed, pauseMs)
  const [recent] = useState(() => {
    const open = findScreens('')
    return recentFinds(has, (path) => open.some(({ to }) => to === path))
  })
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['find', still, place],
    queryFn: ({ signal }) => findOnServer(still, { has, place, signal }),
    enabled: isOnline && still !== '',
    placeholderData: keepPreviousData,
    // A title lent a moment ago must not be shown as before.
    staleTime: 0,
  })
  const isAnswered = still === typed && !isPlaceholderData && (data !== undefined || error !== null)
  const isSearching = isOnline && typed !== '' && !isAnswered
  const { ofReader, told } = isOnline && data ? data : nothing
  const hitsTold = told.map(({ hits }) => hits)
  const found = isAnswered ? hitsTold : stillFitting(hitsTold, typed)
  const [forReader = []] = isAnswered ? [ofReader] : stillFitting([ofReader], nameIn(typed, has))
  const acts = isOnline && typed !== '' ? findActs(has, typed) : { said: [], others: [] }
  const forDays = isOnline ? hitOfDays(has, typed, place.today) : null
  const begun = [...acts.said, ...acts.others]
  const isLocal = ({ kind }: Hit) => isOnline || kind === 'screen' || kind === 'setting'
  const ofNow = new Map(found.flat().map((hit) => [hit.key, hit]))
  const reachable = recent.filter(isLocal).map((hit) => ofNow.get(hit.key) ?? hit)
  const lists =
    typed === ''
      ? []
      : [
          // It stands in the place of the act without days.
          forDays ? [forDays] : [],
          acts.said,
          forReader,
          exactlyOf(found, typed),
          reachable.filter((hit) => isFitting(hit, typed)).slice(0, mostRecent),
          // « Prêter » is a screen as well: the act stands in its place.
          findScreens(typed).map(
            (screen) => begun.find(({ to, title }) => to === screen.to && title === screen.title) ?? screen,
          ),
          acts.others,
          ...found,
        ]
  const hits = typed === '' ? reachable : bestOf(lists)
  const isShown = ({ key }: Hit) => hits.some((hit) => hit.key === key)
  const more = typed !== '' && isAnswered ? told : []
  return {
    hits,
    /** To the lists of what there is no room for. */
    rest: more.flatMap(({ hits: some, all }) =>
      all && all.total > some.filter(isShown).length ? [all.hit] : [],
    ),
    isCut: hasMore(lists, found),
    isOnline,
    isSearching,
    error: isAnswered && typed !== '' ? error : null,
    forbidden: hits.length > 0 || typed === '' ? null : actWithoutRight(has, typed, place.today),
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

/** Enter opens a hit, the right arrow unfolds where else it leads. Nothing here acts: an act opens where it begins. */
export function FindDialog({ findScreens, onClose }: FindDialogProps) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const listId = useId()
  const [text, setText] = useState('')
  const typed = text.trim()
  const { hits, rest, has, again, ...standing } = useFind(typed, findScreens)
  const { isOnline } = standing
  const [chosen, setChosen] = useState<string | null>(null)
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const [unknown, setUnknown] = useState<{ code: string; mayBeAdded: boolean } | null>(null)
  const rows = rowsOf([...hits, ...rest], unfolded)
  const at = rows.findIndex(({ id }) => id === chosen)
  // After typing the best hit is active at once; among recent ones none is until chosen.
  const active = rows[at] ?? (typed === '' ? undefined : rows[0])

  const change = (next: string) => {
    setText(next)
    setChosen(null)
    setUnfolded(null)
    setUnknown(null)
  }
  const go = (to: string, how?: NavigateOptions) => {
    onClose()
    void navigate(to, how)
  }
  const open = ({ hit, to }: Row) => {
    rememberFind(withoutDays(hit))
    go(to, hit.act !== undefined && actNamed(hit.act)?.isDialog ? begunBy(hit.act, hit.days) : undefined)
  }
  const unfold = (hit: Hit) => {
    setUnfolded(hit.key)
    setChosen(`${hit.key} 0`)
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
    else if (key === 'ArrowRight' && isAtEnd && !active.under && isFoldable(active.hit)) unfold(active.hit)
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
        placeholder={isOnline ? inWords('Titre, lecteur, code-barres, action…') : 'Écran ou réglage'}
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
          ? sentenceOf({ ...standing, count: hits.length, typed })
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
        <kbd>↑</kbd> <kbd>↓</kbd> choisir · <kbd>Entrée</kbd> ouvrir · <kbd>→</kbd>{' '}
        {inWords('exemplaires et actions')} · <kbd>Échap</kbd> fermer
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
  /** An act that was asked for without the right to do it. */
  forbidden: string | null
}

function sentenceOf({ count, isCut, typed, isOnline, isSearching, error, forbidden }: Standing): string {
  const offline = isOnline ? '' : 'Hors ligne, seuls les écrans se trouvent. '
  if (typed === '')
    return offline + (count > 0 ? 'Ouverts récemment' : 'Ce que vous ouvrirez d’ici y restera sous la main.')
  if (isSearching) return 'Recherche…'
  if (error) return error instanceof CallError ? error.message : 'Une erreur inattendue s’est produite.'
  if (isCut) return `${offline}${count} premiers résultats`
  if (forbidden !== null) return `Votre profil ne permet pas cette action\u202f: ${forbidden}.`
  return offline + (count === 0 ? 'Aucun résultat.' : counted(count, 'résultat', 'résultats'))
}

/** A finder that fails does not stop the others; if all fail, throws the first failure. */
async function findOnServer(text: string, asking: Asking): Promise<Told> {
  const asked = finders.filter(({ may, shortest }) => may(asking.has) && text.length >= shortest)
  const act = asking.has('LIST_BENEFICIARIES') ? actOfReader(asking.has, text) : null
  const [ofReader, answers] = await Promise.all([
    act ? findReadersFor(act, asking).catch(() => []) : [],
    Promise.allSettled(asked.map(({ find }) => find(text, asking))),
  ])
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const failure = answers.find((answer) => answer.status === 'rejected')
  if (found.length === 0 && failure) throw failure.reason
  const apart = withoutDoubles(found.map(({ hits }) => hits))
  return { ofReader, told: found.map((one, at) => ({ ...one, hits: apart[at] ?? [] })) }
}
