import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'

import { queueExtension, queueType } from '../../contract/queue-file.ts'
import { readQueueFile } from '../../offline/read-queue-file.ts'
import { importFile } from './import-file.ts'

/** Older versions export any JSON; some systems call an unknown type a file of bytes. */
const accepted = [queueExtension, queueType, '.json', 'application/json', 'application/octet-stream'].join()

export function ImportQueue() {
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
