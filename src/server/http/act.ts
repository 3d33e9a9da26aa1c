import type { ActKind } from '../../domain/act-kinds.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from './exchange.ts'

type Opened = {
  kind: ActKind
  /** What is done, in words, as its list shows it. */
  name: string
  /** The act that this one takes back. */
  undoes?: number
  /** A job does it, which writes when it has ended. */
  isLasting?: boolean
}

/** The exchange under which what is journalled is part of a new act. */
export async function openAct(
  trx: Trx,
  exchange: Exchange,
  { kind, name, undoes, isLasting = false }: Opened,
): Promise<Exchange & { act: number }> {
  const at = exchange.now.toISOString()
  const { id } = await trx
    .insertInto('acts')
    .values({
      kind,
      name,
      user_id: exchange.caller.user_id,
      device_id: exchange.device_id,
      site: exchange.site,
      undoes: undoes ?? null,
      begun_at: at,
      ended_at: isLasting ? null : at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...exchange, act: id }
}

/** Its job has done it, or gave it up: as far as it came it can be taken back. */
export async function endAct(trx: Trx, id: number, { now }: Pick<Exchange, 'now'>): Promise<void> {
  await trx.updateTable('acts').set({ ended_at: now.toISOString() }).where('id', '=', id).execute()
}
