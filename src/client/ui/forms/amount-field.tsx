import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'

import { moneyTyped } from '../../../domain/typed-money.ts'
import { useValidity } from './validity.ts'

type AmountFieldProps = {
  label: string
  /** A decimal string, `"12.50"`, or empty for none. */
  value: string
  onChange: (amount: string) => void
  error?: string | undefined
  description?: string
  placeholder?: string
}

const written = (amount: string) => amount.replace('.', ',')

/** Euros of a form, typed with a comma or a dot; what cannot be read stays. */
export function AmountField({ value, onChange, error, ...field }: AmountFieldProps) {
  const [typed, setTyped] = useState(written(value))
  const read = moneyTyped(typed)
  const fault = typed.trim() !== '' && 'fault' in read ? read.fault : ''
  const ref = useValidity(fault)
  useEffect(() => {
    setTyped((before) => {
      const now = moneyTyped(before)
      return 'amount' in now && now.amount === value && before.trim() !== '' ? before : written(value)
    })
  }, [value])
  return (
    <TextInput
      ref={ref}
      {...field}
      inputMode="decimal"
      autoComplete="off"
      value={typed}
      rightSection="€"
      error={fault || error}
      onChange={(event) => {
        const next = event.currentTarget.value
        setTyped(next)
        const amount = moneyTyped(next)
        if (next.trim() === '') onChange('')
        else if ('amount' in amount) onChange(amount.amount)
      }}
      onBlur={() => {
        if (!fault && 'amount' in read && typed.trim() !== '') setTyped(written(read.amount))
      }}
    />
  )
}
