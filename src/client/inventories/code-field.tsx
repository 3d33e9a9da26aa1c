import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'

import { useSubmitScan } from '../scanner/scan-source.tsx'
import { inWords } from '../page/house-words.ts'

/** For a label that nothing reads. */
export function CodeField() {
  const submit = useSubmitScan()
  const [code, setCode] = useState('')
  const give = () => {
    if (code.trim() === '') return
    submit(code)
    setCode('')
  }
  return (
    <Group gap="sm" wrap="nowrap">
      <TextInput
        flex={1}
        aria-label={inWords('Code-barres')}
        placeholder={inWords('Code-barres à la main')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        data-scan-box
        enterKeyHint="done"
        maxLength={100}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') give()
        }}
      />
      <Button variant="default" onClick={give}>
        Compter
      </Button>
    </Group>
  )
}
