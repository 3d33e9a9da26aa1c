import type { StoredCopy } from '../../offline/inventory-rows.ts'
import { Cover } from '../ui/cover.tsx'

type CopyFaceProps = { copy: Pick<StoredCopy, 'name' | 'medium'> | null; isLarge?: boolean }

/** Drawn, also without a network; a code that is no known copy's has none. */
export const CopyFace = ({ copy, isLarge = false }: CopyFaceProps) =>
  copy === null ? null : <Cover title={copy.name} medium={copy.medium ?? null} isLarge={isLarge} />
