import { Button, FileButton, Group, Text, Title } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'

import { queueExtension, queueType } from '../../contract/queue-file.ts'
import { readQueueFile } from '../../offline/read-queue-file.ts'
import { downloadQueue } from '../outbox/download-queue.ts'
import { importFile } from './import-file.ts'

/** Older versions export any JSON; some systems call an unknown type a file of bytes. */
const accepted = [queueExtension, queueType, '.json', 'application/json', 'application/octet-stream'].join()

function ImportQueue() {
  // Choosing the same file again must read it again.
  const reset = useRef<() => void>(null)
  const take = (file: File | null) => {
    reset.current?.()
    if (file) void readQueueFile(file).then((read) => importFile(read))
  }
  return (
    <FileButton accept={accepted} resetRef={reset} onChange={take}>
      {(props) => (
        <Button {...props} variant="default" leftSection={<IconUpload size="1.2em" aria-hidden />}>
          Importer une file
        </Button>
      )}
    </FileButton>
  )
}

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
