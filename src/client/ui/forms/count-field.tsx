import '@mantine/core/styles/NumberInput.css'

import { NumberInput } from '@mantine/core'
import { useEffect, useState } from 'react'

import { frenchNumber } from '../../../domain/french-number.ts'
import { useValidity } from './validity.ts'

type CountFieldProps = {
  label: string
  value: number | string
  onChange: (value: number | string) => void
  from: number
  to: number
  required?: boolean
  placeholder?: string
  description?: string
  /** A year is written without a space. */
  isYear?: boolean
  error?: string | undefined
}

/** A whole number; one out of bounds stays as typed, with an error. */
export function CountField({ value, onChange, from, to, error, isYear = false, ...field }: CountFieldProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const count = Number(typed)
  const fits = typed === '' || (Number.isInteger(count) && count >= from && count <= to)
  const fault = fits
    ? ''
    : isYear
      ? `Entrez une année de ${from} à ${to}.`
      : `Entrez un nombre entier de ${frenchNumber(from)} à ${frenchNumber(to)}.`
  const ref = useValidity(fault)
  return (
    <NumberInput
      ref={ref}
      {...field}
      value={typed}
      onChange={(next) => {
        setTyped(next)
        onChange(next)
      }}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      error={fault || error}
    />
  )
}
