import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'

import type { Download } from '../../contract/files.ts'
import { sayError } from '../page/messages.ts'
import { saveFile } from '../ui/save-file.ts'

export function ExcelButton({ isDisabled, fetch }: { isDisabled: boolean; fetch: () => Promise<Download> }) {
  const [isPending, setPending] = useState(false)
  const make = async () => {
    setPending(true)
    try {
      saveFile(await fetch())
    } catch (error) {
      sayError(error, 'Le fichier n’a pas pu être fait.')
    } finally {
      setPending(false)
    }
  }
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size="1.2em" aria-hidden />}
      loading={isPending}
      disabled={isDisabled}
      onClick={() => void make()}
    >
      Excel
    </Button>
  )
}
