import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'

import { moneyTyped } from '../../../domain/typed-money.ts'
import { useValidity } from './validity.ts'

type MoneyFieldProps = {
  /** Read out alone: to the eye, what the field stands in says what it is. */
  label: string
  /** A decimal string, `"12.50"`. */
  value: string
  onChange: (amount: string) => void
  /** The amount stands, or was taken back by Escape; by a key, the focus has still to go somewhere. */
  onClose: (isByKey: boolean) => void
  /** The place of the field, and of what is wrong with it. */
  classNames: { root: string; wrapper: string; error: string }
}

/** Euros typed in place, with a comma or a dot; what cannot be read stays. */
export function MoneyField({ label, value, onChange, onClose, classNames }: MoneyFieldProps) {
  const [typed, setTyped] = useState(value.replace('.', ','))
  const [fault, setFault] = useState('')
  const field = useValidity(fault)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [field])
  const settle = (isByKey: boolean) => {
    const read = moneyTyped(typed)
    setFault('fault' in read ? read.fault : '')
    if ('fault' in read) return
    if (read.amount !== value) onChange(read.amount)
    onClose(isByKey)
  }
  return (
    <TextInput
      ref={field}
      classNames={classNames}
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      value={typed}
      rightSection="€"
      error={fault}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => settle(false)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        // Else Enter would press what has the focus next.
        event.preventDefault()
        if (event.key === 'Enter') settle(true)
        else onClose(true)
      }}
    />
  )
}
