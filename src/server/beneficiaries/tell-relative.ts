import type { Relative } from '../../contract/relatives.ts'
import { fullName } from '../../domain/person-names.ts'

type RelativeRow = { id: number; lastname: string; firstname: string; reader_id: string | null }

export function tellRelative({ id, lastname, firstname, reader_id }: RelativeRow): Relative {
  const name = fullName({ lastname, firstname })
  return { '@id': `/api/relatives/${id}`, '@type': 'Relative', id, name, text: name, reader_id }
}
