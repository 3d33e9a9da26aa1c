import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSubmitScan } from './scan-source.tsx'

export function TypedCode({ takesFocus }: { takesFocus: boolean }) {
  const submit = useSubmitScan()
  const [code, setCode] = useState('')

  const onSubmit = (event: React.SubmitEvent): void => {
    event.preventDefault()
    if (code.trim() === '') return
    submit(code)
    setCode('')
  }

  return (
    <form onSubmit={onSubmit}>
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label="Code écrit sous les barres"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-scan-box
          enterKeyHint="done"
          ref={takesFocus ? focusOnce : undefined}
          styles={{ input: { minHeight: 44 } }}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Button type="submit" mih={44}>
          Valider
        </Button>
      </Group>
    </form>
  )
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.focus()
}
