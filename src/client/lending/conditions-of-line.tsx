import { Checkbox, Group, Text } from '@mantine/core'

import type { Medium } from '../../contract/media.ts'
import ConditionsFile from '../catalogue/conditions-file.tsx'

type ConditionsProps = {
  name: string
  medium: Medium
  isGiven: boolean
  onGiven: (isGiven: boolean) => void
}

/** What the reader is to be handed with a copy, and whether they were. */
export default function ConditionsOfLine({ name, medium, isGiven, onGiven }: ConditionsProps) {
  return (
    <div role="group" aria-label={`Conditions de prêt\u202f: ${name}`}>
      <Text size="sm">{medium.loaning_conditions_label}</Text>
      <Group gap="md">
        <Checkbox
          label="Conditions remises"
          checked={isGiven}
          onChange={(event) => onGiven(event.currentTarget.checked)}
        />
        {medium.loaning_conditions_file === null ? null : (
          <ConditionsFile name={medium.name} of={{ medium: medium.id }} />
        )}
      </Group>
    </div>
  )
}
