import { useQuery } from '@tanstack/react-query'

import { listReferences, type Reference } from '../../contract/catalogue.ts'
import { membersOf } from '../../contract/list.ts'
import { findIsbn13 } from '../../domain/bar-code.ts'
import { listQuery } from '../api/queries.ts'
import { useIsOneSiteOfSeveral } from '../settings/multisite.ts'
import { Cover } from '../ui/cover.tsx'
import { type Choice, SearchPicker } from '../ui/forms/search-picker.tsx'
import { type LoneHit, useStandingHit } from '../ui/forms/use-lone-hit.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { counted } from '../ui/words.ts'

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
  const noCopy = useIsOneSiteOfSeveral() ? 'sans exemplaire ici' : 'aucun exemplaire'
  const typed = text.trim()
  const still = useDebounced(typed)
  const { data, isFetching, error, isPlaceholderData } = useQuery({
    ...listQuery(listReferences, {
      limit,
      filters: [{ field: 'searchname', operator: 'like', value: findIsbn13(still) ?? still }],
      order: [{ field: 'name', direction: 'asc' }],
    }),
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
      choices={lone?.isChosen ? undefined : found?.map((one) => choiceOf(one, refusalOf(one), noCopy))}
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

const choiceOf = (
  { id, name, tags, code, medium, image_path, copies_count }: Reference,
  refusal: string | null,
  noCopy: string,
): Choice => ({
  value: String(id),
  label: name,
  picture: <Cover title={name} medium={medium?.name ?? null} image={image_path} />,
  disabled: refusal !== null,
  detail: [refusal, tags.author, code, counted(copies_count, 'exemplaire', 'exemplaires', noCopy)]
    .filter(Boolean)
    .join(' · '),
})
