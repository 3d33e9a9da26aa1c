import { Button, TextInput } from '@mantine/core'
import { type ComponentProps, useState } from 'react'

import { CameraToggle } from './camera-toggle.tsx'
import styles from './scan-line.module.css'

type ScanLineProps = {
  label: string
  /** What is done with the code, on the button. */
  action: string
  /** What became of the last code, which the camera shows. */
  notice: ComponentProps<typeof CameraToggle>['notice']
  onCode: (code: string) => void
}

/** Where a code is typed or read by the camera; a hand scanner's come by `useScans`. */
export function ScanLine({ label, action, notice, onCode }: ScanLineProps) {
  const [typed, setTyped] = useState('')
  const give = () => {
    const code = typed.trim()
    if (code === '') return
    setTyped('')
    onCode(code)
  }
  return (
    <div className={styles['line']}>
      <TextInput
        aria-label={label}
        placeholder="Code-barres"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        data-scan-box
        enterKeyHint="done"
        maxLength={64}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') give()
        }}
      />
      <Button onClick={give}>{action}</Button>
      <CameraToggle notice={notice} />
    </div>
  )
}
