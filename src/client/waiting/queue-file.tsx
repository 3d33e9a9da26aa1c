import { Button, Group, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'

import { downloadQueue } from '../outbox/download-queue.ts'
import { ImportQueue } from './import-queue.tsx'

export function QueueFile({ isEmpty }: { isEmpty: boolean }) {
  return (
    <section className="panel" aria-labelledby="file">
      <Title order={2} size="h4" id="file" mb="xs">
        D’un appareil à l’autre
      </Title>
      <Text c="dimmed" size="sm" mb="sm" maw="46rem">
        La file s’exporte dans un fichier, qu’un autre appareil importe et envoie. Importée deux fois, chaque
        action n’est faite qu’une fois.
      </Text>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconDownload size="1.2em" aria-hidden />}
          disabled={isEmpty}
          onClick={() => void downloadQueue()}
        >
          Exporter la file
        </Button>
        <ImportQueue />
      </Group>
    </section>
  )
}
