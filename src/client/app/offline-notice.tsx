import { Group, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'

import { hostUnknown } from '../../domain/host-unknown.ts'
import { useHostUnknown } from '../api/connection.ts'
import { inWords } from '../page/house-words.ts'

/** Under a screen that needs the server, while it does not answer. */
export default function OfflineNotice() {
  const isHostUnknown = useHostUnknown()
  return (
    <Group className="panel foot" role="status" gap="xs" py="xs" wrap="nowrap">
      <IconCloudOff size="1.3em" aria-hidden />
      <Text>{isHostUnknown ? inWords(hostUnknown) : 'Hors ligne\u202f: cet écran attend le réseau.'}</Text>
    </Group>
  )
}
