import type { Reference } from '../../contract/catalogue.ts'
import { useIsOneSiteOfSeveral } from '../settings/multisite.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import { inWords } from '../page/house-words.ts'

/** How many copies there are to be had, of how many; a tag only where none is. */
export function CopyCount({ of }: { of: Pick<Reference, 'copies_count' | 'available_count'> }) {
  const { copies_count, available_count } = of
  if (copies_count === 0) return <NoCopy />
  if (available_count === 0) return <StatusTag tone="warn">Aucun disponible</StatusTag>
  if (copies_count === 1) return 'Disponible'
  return `${counted(available_count, 'disponible', 'disponibles')} sur ${copies_count}`
}

function NoCopy() {
  const isOneSite = useIsOneSiteOfSeveral()
  return <StatusTag tone="quiet">{inWords(isOneSite ? 'Sans exemplaire ici' : 'Sans exemplaire')}</StatusTag>
}
