import { useQuery, useQueryClient } from '@tanstack/react-query'
import { memo, type Ref, useState } from 'react'

import { useConnection } from '../api/connection.ts'
import { Cover } from '../ui/cover.tsx'
import { type Choice, SearchPicker } from '../ui/forms/search-picker.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { copySearchQuery, findCounterCopy } from './copy-data.ts'
import type { CounterCopy } from './counter-copy.ts'
import { counterCopyWords, underTitles } from './hit-words.ts'

type CopyPickerProps = {
  onPick: (copy: CounterCopy) => void
  /** For a bar code typed whole, where that means more than choosing from the list. */
  onCode?: (copy: CounterCopy) => void
  onUnknown: (code: string) => void
  label?: string
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement>
}

export const CopyPicker = memo(function CopyPicker({
  onPick,
  onCode = onPick,
  onUnknown,
  label = 'Exemplaire',
  error,
  inputRef,
}: CopyPickerProps) {
  const client = useQueryClient()
  const isOffline = useConnection() === 'offline'
  const [text, setText] = useState('')
  const still = useDebounced(text.trim())
  const { data, isFetching, error: failure } = useQuery(copySearchQuery(still))
  const copies = still === text.trim() && still !== '' ? data : undefined

  const takeCode = async (code: string) => {
    const copy = await findCounterCopy(client, code).catch(() => null)
    if (copy) {
      setText('')
      onCode(copy)
    } else if (/\d/.test(code)) onUnknown(code)
  }
  return (
    <SearchPicker
      label={label}
      placeholder={isOffline ? 'Code-barres' : 'Titre, auteur ou code-barres'}
      text={text}
      onText={setText}
      choices={copies && underTitles(copies).map(choiceOf)}
      isSearching={isFetching || still !== text.trim()}
      none={
        isOffline
          ? 'Hors ligne, un exemplaire se trouve par son code-barres.'
          : 'Aucun exemplaire ne correspond.'
      }
      // Enter on a code that was typed whole means more than choosing.
      isOnlyMarked={copies?.[0]?.bar_code !== still}
      onPick={(value) => {
        const copy = copies?.find(({ id }) => id === Number(value))
        if (!copy) return
        setText('')
        onPick(copy)
      }}
      onEnter={(code) => void takeCode(code)}
      error={failure ? failure.message : error}
      {...(inputRef ? { inputRef } : {})}
    />
  )
})

const choiceOf = ({ copy, isUnder }: { copy: CounterCopy; isUnder: boolean }): Choice => ({
  value: String(copy.id),
  isUnder,
  label: copy.name,
  face: <Cover title={copy.name} medium={copy.medium?.name ?? null} image={copy.image_path} />,
  ...counterCopyWords(copy),
})
