import { Group, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'

/** Under a screen that needs the server, while it does not answer. */
export default function OfflineNotice() {
  return (
    <Group className="panel foot" role="status" gap="xs" py="xs" wrap="nowrap">
      <IconCloudOff size="1.3em" aria-hidden />
      <Text>Hors ligne&#8239;: cet écran attend le réseau.</Text>
    </Group>
  )
}
