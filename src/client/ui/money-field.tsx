import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'

import { moneyTyped } from '../../domain/typed-money.ts'
import { useValidity } from './validity.ts'

type MoneyFieldProps = {
  label: string
  /** A decimal string, `"12.50"`. */
  value: string
  onChange: (amount: string) => void
  disabled?: boolean
  error?: string | undefined
}

/** Euros typed with a comma or a dot (file 2, « Decimal input »). */
export function MoneyField({ label, value, onChange, disabled, error }: MoneyFieldProps) {
  const [typed, setTyped] = useState(shown(value))
  const [fault, setFault] = useState('')
  const field = useValidity(fault)
  useEffect(() => {
    setTyped(shown(value))
    setFault('')
  }, [value])
  const settle = () => {
    const read = moneyTyped(typed)
    setFault('fault' in read ? read.fault : '')
    if ('fault' in read) return
    setTyped(shown(read.amount))
    if (read.amount !== value) onChange(read.amount)
  }
  return (
    <TextInput
      ref={field}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={typed}
      disabled={disabled ?? false}
      rightSection="€"
      error={fault || error}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle()
      }}
    />
  )
}

const shown = (amount: string) => amount.replace('.', ',')
