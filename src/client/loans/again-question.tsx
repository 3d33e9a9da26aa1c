import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'

type AgainQuestionProps = { first: string; all: string; label: string; onChange: (checked: boolean) => void }

/** Leaves out who had one today, unless it is ticked. */
export default function AgainQuestion({ first, all, label, onChange }: AgainQuestionProps) {
  const [checked, setChecked] = useState(false)
  return (
    <Stack gap="sm">
      <Text>{checked ? all : first}</Text>
      <Checkbox
        label={label}
        checked={checked}
        onChange={(event) => {
          setChecked(event.currentTarget.checked)
          onChange(event.currentTarget.checked)
        }}
      />
    </Stack>
  )
}
