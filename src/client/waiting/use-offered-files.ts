import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'

import { shortFileName } from '../../domain/upload-rules.ts'
import type { OfferedFile } from '../../offline/device-meta.ts'
import { takeOfferedFiles } from '../../offline/offered-files.ts'
import { useConfirm } from '../ui/confirm.tsx'
import type { Question } from '../ui/confirm-question.ts'
import { counted } from '../ui/words.ts'
import { importFile } from './import-file.ts'

/** Asks about each file that was shared with the application or opened with it, then takes it in as one that was chosen. */
export function useOfferedFiles(): void {
  const confirm = useConfirm()
  // Handed over while the screen is open, one leads to it again.
  const { key } = useLocation()
  useEffect(() => {
    const askAll = async () => {
      for (const { name, text } of await takeOfferedFiles()) {
        const read = () => (text === null ? Promise.reject(new Error('unread')) : Promise.resolve(text))
        await importFile({ text: read }, (count) => confirm(questionOf(name, count)))
      }
    }
    // A store that cannot be read is said by the screen itself.
    askAll().catch(() => undefined)
  }, [key, confirm])
}

const questionOf = (name: OfferedFile['name'], count: number): Question => ({
  title: 'Importer une file',
  message: `«\u00a0${shortFileName(name)}\u00a0» contient ${counted(count, 'action', 'actions', 'aucune action')}. Ce qu’il contient sera envoyé depuis cet appareil, chaque action une seule fois.`,
  acts: 'sends',
})
