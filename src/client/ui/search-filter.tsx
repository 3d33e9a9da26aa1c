import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'

import { useDebounced } from './use-debounced.ts'

type SearchFilterProps = { label: string; value: string; onChange: (value: string) => void; ms?: number }

/** A text filter: what is typed is applied once it has been still (500 ms unless said), or at Enter. */
export function SearchFilter({ label, value, onChange, ms = 500 }: SearchFilterProps) {
  const [typed, setTyped] = useState(value)
  const still = useDebounced(typed, ms)
  useEffect(() => {
    setTyped(value)
  }, [value])
  useEffect(() => {
    if (still !== value && still === typed) onChange(still)
    // oxlint-disable-next-line react/exhaustive-deps -- only what was typed triggers it
  }, [still])
  return (
    <TextInput
      label={label}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChange(typed)
      }}
      type="search"
    />
  )
}
