import { TextInput } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

import { longestText } from '../../contract/filter-values.ts'
import { useDebounced } from './use-debounced.ts'

type SearchFilterProps = { label: string; value: string; onChange: (value: string) => void; ms?: number }

/** A text filter: what is typed is applied once it has been still (500 ms unless said), at Enter, or when its field is left. */
export function SearchFilter({ label, value, onChange, ms = 500 }: SearchFilterProps) {
  const [typed, setTyped] = useState(value)
  // What was typed and is not applied yet: no other value takes its place.
  const waiting = useRef<string | null>(null)
  const still = useDebounced(typed, ms)
  const apply = useCallbackRef(() => {
    const text = waiting.current
    waiting.current = null
    if (text !== null && text !== value) onChange(text)
  })
  useEffect(() => {
    if (waiting.current === null) setTyped(value)
  }, [value])
  useEffect(() => {
    if (still === waiting.current) apply()
  }, [still, apply])
  // A drawer that closes takes its fields away with no word to them.
  useEffect(() => apply, [apply])
  return (
    <TextInput
      label={label}
      value={typed}
      maxLength={longestText}
      onChange={(event) => {
        waiting.current = event.currentTarget.value
        setTyped(event.currentTarget.value)
      }}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply()
      }}
      type="search"
    />
  )
}
