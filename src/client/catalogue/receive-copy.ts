import { type Copy, listCopies } from '../../contract/catalogue.ts'
import { changeCopy } from '../../contract/copies.ts'
import { membersOf } from '../../contract/list.ts'
import { call } from '../api/call.ts'
import { gestureKeys } from '../api/gesture-keys.ts'
import { refreshChanged } from '../api/refresh-changed.ts'
import { refreshAnew } from '../outbox/counter-work.ts'

const once = gestureKeys()

/** Receives a copy that lies on the counter; answers from where, or null where it is no longer under way. */
export async function receiveCopy(id: number): Promise<{ from: string; copy: Copy } | null> {
  const page = await call(listCopies, { list: { filters: [{ field: 'id', operator: 'eq', value: id }] } })
  const [copy] = membersOf(page)
  if (copy?.status_name !== 'En transfert') return null
  await once(`${id} ${copy.date ?? ''}`, (key) =>
    call(changeCopy, { params: { id }, body: { status: 'Disponible' }, key }),
  )
  // The next scan must find it on its shelf.
  await Promise.all([refreshAnew(), refreshChanged('copies')])
  return { from: copy.sent_from?.name ?? 'un autre site', copy }
}
