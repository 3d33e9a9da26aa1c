import { Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { CallError } from '../api/call-error.ts'
import OfferCopy from '../catalogue/offer-copy.tsx'
import { signalScan } from '../scanner/scan-feedback.ts'
import type { ScanHandler } from '../scanner/scan-source.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { currentPreferences } from '../page/preferences.ts'
import { counted } from '../ui/words.ts'
import { FindList, type Row, rowsOf } from './find-list.tsx'
import styles from './find.module.css'
import type { Hit } from './hit.ts'
import { openScan } from './open-scan.ts'
import { rememberFind } from './recent-finds.ts'
import { type FindScreens, useFind } from './use-find.ts'
import { inWords } from '../page/house-words.ts'

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
  const scans = useRef(0)
  useEffect(() => () => void (scans.current += 1), [])
  const takeScan: ScanHandler = (code, symbology) => {
    const sound = currentPreferences()
    const turn = ++scans.current
    // A later scan or closing the search makes this answer void.
    const isOver = () => turn !== scans.current
    openScan(client, has, code, symbology).then(
      ({ to, unknown: nobodys }) => {
        if (isOver()) return
        signalScan(to === null ? 'refusal' : 'success', sound)
        if (to !== null) return go(to)
        change(code)
        setUnknown({ code: nobodys ?? code, mayBeAdded: nobodys !== null })
      },
      () => {
        if (!isOver()) change(code)
      },
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
