import { TextInput } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

import { longestText } from '../../../contract/filter-values.ts'
import { stillMs, useDebounced } from '../use-debounced.ts'

type SearchFilterProps = { label: string; value: string; onChange: (value: string) => void; ms?: number }

/** Applies its text after 500 ms without typing, at Enter or when left. */
export function SearchFilter({ label, value, onChange, ms = stillMs }: SearchFilterProps) {
  const [typed, setTyped] = useState(value)
  // Typed and not applied yet; no other value may replace it.
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
  // A closing drawer removes its fields without telling them.
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
      placeholder=" "
    />
  )
}
