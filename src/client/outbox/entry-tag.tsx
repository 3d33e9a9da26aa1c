import type { Entry } from '../../offline/entry.ts'
import { isToVerify } from '../../offline/to-verify.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { kindOf } from './outbox-entries.ts'

export function EntryTag({ entry }: { entry: Entry }) {
  const kind = kindOf(entry)
  if (entry.state === 'set_aside') return <StatusTag tone="quiet">Écarté</StatusTag>
  if (kind === 'refused') return <StatusTag tone="bad">Refusé</StatusTag>
  if (kind === 'waiting')
    return isToVerify(entry) ? (
      <StatusTag tone="warn">À vérifier</StatusTag>
    ) : (
      <StatusTag tone="wait">Enregistré</StatusTag>
    )
  return <StatusTag tone="good">{entry.label.kind === 'return' ? 'Rendu' : 'Prêté'}</StatusTag>
}
