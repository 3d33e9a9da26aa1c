import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'

import { useValidity } from './validity.ts'

type LengthFieldProps = {
  label: string
  /** Tenths of a millimetre, or empty. */
  value: number | string
  onChange: (tenths: number | string) => void
  required?: boolean
  description?: string
  error?: string | undefined
}

const written = (tenths: number | string) =>
  tenths === '' ? '' : String(Number(tenths) / 10).replace('.', ',')

const read = (typed: string): number | null =>
  /^\d{1,4}([.,]\d?)?$/.test(typed.trim()) ? Math.round(Number(typed.replace(',', '.')) * 10) : null

/** Millimetres, with a tenth after a comma or a dot; what cannot be read stays as typed. */
export function LengthField({ value, onChange, error, ...field }: LengthFieldProps) {
  const [typed, setTyped] = useState(written(value))
  const fault = typed.trim() !== '' && read(typed) === null ? 'Entrez des millimètres, comme 63,5.' : ''
  const ref = useValidity(fault)
  useEffect(() => {
    setTyped((before) => (read(before) === value ? before : written(value)))
  }, [value])
  return (
    <TextInput
      ref={ref}
      {...field}
      inputMode="decimal"
      autoComplete="off"
      value={typed}
      rightSection="mm"
      error={fault || error}
      onChange={(event) => {
        const next = event.currentTarget.value
        setTyped(next)
        const tenths = read(next)
        if (next.trim() === '') onChange('')
        else if (tenths !== null) onChange(tenths)
      }}
    />
  )
}
