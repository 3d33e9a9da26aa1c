import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

import { useScans } from '../../scanner/scan-source.tsx'

type ScanFieldProps = TextInputProps & { onScan: (code: string) => void }

/** A number that a scan writes while the field has the focus; the scan's own Enter sends nothing. */
export function ScanField({ onScan, ...field }: ScanFieldProps) {
  const [isFocused, setFocused] = useState(false)
  useScans((code) => onScan(code), isFocused)
  return (
    <TextInput
      {...field}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={64}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    />
  )
}
