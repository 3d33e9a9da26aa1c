import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'

import { useValidity } from './validity.ts'

type MoneyFieldProps = {
  label: string
  /** A decimal string, `"12.50"`. */
  value: string
  onChange: (amount: string) => void
  disabled?: boolean
  error?: string | undefined
}

/** An amount in euros, typed with a comma or a dot (file 2, « Decimal input »). */
export function MoneyField({ label, value, onChange, disabled, error }: MoneyFieldProps) {
  const [typed, setTyped] = useState(shown(value))
  const [isWrong, setWrong] = useState(false)
  const fault = isWrong ? 'Montant inconnu\u202f: écrivez-le comme 12,50.' : ''
  const field = useValidity(fault)
  useEffect(() => {
    setTyped(shown(value))
    setWrong(false)
  }, [value])
  const read = () => {
    const amount = amountOf(typed)
    setWrong(amount === null)
    if (amount === null) return
    setTyped(shown(amount))
    if (amount !== value) onChange(amount)
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
      onBlur={read}
      onKeyDown={(event) => {
        if (event.key === 'Enter') read()
      }}
    />
  )
}

const shown = (amount: string) => amount.replace('.', ',')

/** Accepts thousands separators in either convention and a leading dollar sign; null when it is no amount. */
export function amountOf(typed: string): string | null {
  const text = typed
    .trim()
    .replace(/^\$/, '')
    .replace(/[\s\u00a0\u202f]/g, '')
  if (text === '') return '0.00'
  const parts = /^(\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,](\d{1,2}))?$/.exec(text)
  const euros = parts?.[1]?.replace(/[.,]/g, '')
  if (euros === undefined || euros.length > 8) return null
  return `${Number(euros)}.${(parts?.[2] ?? '').padEnd(2, '0')}`
}
