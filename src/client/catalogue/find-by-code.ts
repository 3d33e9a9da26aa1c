import { type Copy, listCopies } from '../../contract/catalogue.ts'
import { membersOf } from '../../contract/list.ts'
import { type Symbology, writtenForms } from '../../domain/bar-code.ts'
import { call } from '../api/call.ts'

/** Of any site open to the person: one that is not for here is said to be so. */
export async function findByCode(code: string, symbology: Symbology | undefined): Promise<Copy | null> {
  const forms = writtenForms(code, symbology)
  const page = await call(listCopies, {
    list: { limit: 20, filters: [{ field: 'bar_code', operator: 'in', value: forms }] },
    site: 0,
  })
  const copies = membersOf(page)
  return forms.flatMap((form) => copies.filter(({ bar_code }) => bar_code === form))[0] ?? null
}
