import type { Entry } from '../../offline/entry.ts'
import { isToVerify } from '../../offline/to-verify.ts'
import { useConnection } from '../api/connection.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { keptWord } from './entry-words.ts'
import { kindOf } from './outbox-entries.ts'

export function EntryTag({ entry }: { entry: Entry }) {
  const kind = kindOf(entry)
  if (entry.state === 'set_aside') return <StatusTag tone="quiet">Écarté</StatusTag>
  if (kind === 'refused') return <StatusTag tone="bad">Refusé</StatusTag>
  if (kind === 'waiting')
    return isToVerify(entry) ? <StatusTag tone="warn">À vérifier</StatusTag> : <KeptTag entry={entry} />
  return <StatusTag tone="good">{entry.label.kind === 'return' ? 'Rendu' : 'Prêté'}</StatusTag>
}

/** Of what the server has not answered. */
export function KeptTag({ entry = null }: { entry?: Entry | null }) {
  const isOnline = useConnection() === 'online'
  return <StatusTag tone="wait">{keptWord(isOnline, entry)}</StatusTag>
}
