import { Checkbox, Group, Text } from '@mantine/core'

import type { Medium } from '../../contract/media.ts'
import ConditionsFile from '../catalogue/conditions-file.tsx'

type ConditionsProps = {
  medium: Medium
  isGiven: boolean
  onGiven: (isGiven: boolean) => void
}

/** What the reader is to be handed with the copies of a medium, and whether they were. */
export default function ConditionsOfMedium({ medium, isGiven, onGiven }: ConditionsProps) {
  return (
    <div role="group" aria-label={`Conditions de prêt\u202f: ${medium.name}`}>
      <Text size="sm">
        <strong>{medium.name}</strong>
        {'\u202f'}: {medium.loaning_conditions_label}
      </Text>
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
