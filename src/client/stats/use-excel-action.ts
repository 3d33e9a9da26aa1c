import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'

import type { Download } from '../../contract/files.ts'
import { sayError } from '../page/messages.ts'
import type { PageAction } from '../ui/page-actions.tsx'
import { saveFile } from '../ui/save-file.ts'

/** The figures as a file. */
export function useExcelAction(isDisabled: boolean, fetch: () => Promise<Download>): PageAction {
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
  return {
    label: 'Excel',
    Icon: IconDownload,
    onRun: () => void make(),
    isLoading: isPending,
    isDisabled,
  }
}
