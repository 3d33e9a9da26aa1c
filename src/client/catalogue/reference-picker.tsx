import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useContext } from 'react'

import { listReferences, type Reference } from '../../contract/catalogue.ts'
import { resourceOf } from '../../contract/changed-resources.ts'
import { type ListQuery, membersOf } from '../../contract/list.ts'
import { findIsbn13 } from '../../domain/bar-code.ts'
import { call } from '../api/call.ts'
import { useSession } from '../api/session.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { Cover } from '../ui/cover.tsx'
import { type Choice, SearchPicker } from '../ui/forms/search-picker.tsx'
import { type LoneHit, useStandingHit } from '../ui/forms/use-lone-hit.ts'
import { LibraryToday } from '../ui/library-today.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import type { Place } from './free-words.ts'
import { titleWords } from './hit-words.ts'

const limit = 10

type ReferencePickerProps = {
  label: string
  text: string
  onText: (text: string) => void
  onPick: (reference: Reference) => void
  /** Why a title may not be picked, or null. */
  refusalOf?: (reference: Reference) => string | null
  /** Where a dialog begins. */
  isFirst?: boolean
  /** Where a single hit is chosen by itself. */
  lone?: LoneHit<Reference>
}

const noRefusal = () => null

/** Titles by name, author or code; an ISBN is found however it is written. */
export function ReferencePicker(props: ReferencePickerProps) {
  const { label, text, onText, onPick, refusalOf = noRefusal, isFirst, lone } = props
  const today = useContext(LibraryToday)
  const place = { site: useSession()?.site?.id ?? 0, isMultisite: useIsMultisite(), today: today() }
  const typed = text.trim()
  const still = useDebounced(typed)
  const { data, isFetching, error, isPlaceholderData } = useQuery({
    ...titleSearchQuery(findIsbn13(still) ?? still),
    enabled: still !== '',
  })
  const found = still === typed && still !== '' && !isPlaceholderData ? membersOf(data) : undefined
  const pick = (id: number) => {
    const reference = found?.find((one) => one.id === id)
    if (!reference || refusalOf(reference) !== null) return
    lone?.settle()
    onPick(reference)
  }
  const [only = null, ...others] = found ?? []
  const hit = others.length === 0 && only && refusalOf(only) === null ? only : null
  useStandingHit(lone, hit)
  return (
    <SearchPicker
      {...(isFirst ? { isFirst } : {})}
      label={label}
      placeholder="Titre, auteur ou ISBN"
      text={text}
      onText={onText}
      choices={lone?.isChosen ? undefined : found?.map((one) => choiceOf(one, refusalOf(one), place))}
      isSearching={isFetching || still !== typed}
      none="Aucune référence ne correspond."
      onPick={(value) => pick(Number(value))}
      onEnter={() => {
        if (hit) pick(hit.id)
      }}
      onUnchoose={lone?.isChosen ? lone.unchoose : undefined}
      error={error?.message}
    />
  )
}

/** With the copies of every site that is open to the person, as the search box asks for them. */
const titleSearchQuery = (searchname: string) => {
  const list = {
    limit,
    filters: [{ field: 'searchname', operator: 'like', value: searchname }],
    order: [{ field: 'name', direction: 'asc' }],
  } satisfies Partial<ListQuery>
  return queryOptions({
    queryKey: [resourceOf(listReferences), listReferences.name, 'with copies', list],
    queryFn: ({ signal }) => call(listReferences, { query: { with_copies: '1' }, list, site: 0, signal }),
    placeholderData: keepPreviousData,
    // A title lent a moment ago must not be shown as before.
    staleTime: 0,
  })
}

function choiceOf(reference: Reference, refusal: string | null, place: Place): Choice {
  const { id, name, medium, image_path } = reference
  const { told, now } = titleWords(reference, place)
  return {
    value: String(id),
    label: name,
    face: <Cover title={name} medium={medium?.name ?? null} image={image_path} />,
    disabled: refusal !== null,
    told,
    now: refusal ?? now,
  }
}
