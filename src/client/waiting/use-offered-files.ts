import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'

import { shortFileName } from '../../domain/upload-rules.ts'
import { forgetOfferedFile, offeredFiles } from '../../offline/offered-files.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import type { Question } from '../ui/dialogs/confirm-question.ts'
import { counted } from '../ui/words.ts'
import { importFile } from './import-file.ts'

type Ask = ReturnType<typeof useConfirm>

export function useOfferedFiles(): void {
  const confirm = useConfirm()
  // A file handed over while the screen is open navigates here again.
  const { key } = useLocation()
  useEffect(() => askNext(confirm), [key, confirm])
}

/** One at a time for the whole page, because of two equal questions one would not be asked. */
let asking = Promise.resolve()

function askNext(confirm: Ask): void {
  // The screen itself reports a store that cannot be read.
  asking = asking.then(() => askAll(confirm)).catch(() => undefined)
}

/** A file leaves the store once answered, so a page closed before asks again. */
async function askAll(confirm: Ask): Promise<void> {
  let [file] = await offeredFiles()
  while (file) {
    const { id, name } = file
    // Another file would fare no better now.
    if (!(await importFile(file, (count) => confirm(questionOf(name, count))))) return
    await forgetOfferedFile(id)
    ;[file] = await offeredFiles()
  }
}

const questionOf = (name: string, count: number): Question => ({
  title: 'Importer une file',
  message: `«\u00a0${shortFileName(name)}\u00a0» contient ${counted(count, 'action', 'actions')}. ${
    count > 1
      ? 'Elles partiront de cet appareil, chacune une seule fois\u202f; celles d’une autre personne attendront sa confirmation.'
      : 'Elle partira de cet appareil, une seule fois\u202f; celle d’une autre personne attendra sa confirmation.'
  }`,
  acts: 'sends',
})
