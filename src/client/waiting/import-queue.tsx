import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'

import { queueExtension, queueType } from '../../contract/queue-file.ts'
import { readQueueFile } from '../../offline/read-queue-file.ts'
import { importFile } from './import-file.ts'

/** A queue of an older version is any JSON; a system that does not know the type calls it a file of bytes. */
const accepted = [queueExtension, queueType, '.json', 'application/json', 'application/octet-stream'].join()

/** Takes in a queue that a device gave as a file. */
export function ImportQueue() {
  // Chosen again, the same file is read again.
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
