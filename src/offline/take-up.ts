import * as v from 'valibot'

import { lendCopy } from '../contract/loans.ts'
import { returnCopy, returnLoan } from '../contract/returns.ts'
import { sealHeader } from '../contract/seal.ts'
import { uuid } from '../contract/wire.ts'
import { readerName } from '../domain/person-names.ts'
import { cardWords } from './counter-actions.ts'
import { deviceId } from './device-meta.ts'
import type { Entry, NewAction } from './entry.ts'
import { readLibrary } from './known-library.ts'
import { draftNext } from './outbox.ts'
import { tellOutbox } from './outbox-news.ts'
import { findEntry } from './outbox-store.ts'
import { transactSealing } from './seal.ts'
import { liveSession } from './session-mirror.ts'
import { writeMakingRoom } from './write-failure.ts'

// Not `loanings.fast`: its refusal is an answer of 200, which an outbox would take for a loan.
const endpoints = [lendCopy, returnCopy, returnLoan] as const
type Taken = (typeof endpoints)[number]

/** Which of them a path is of, and the loan that it names. */
function endpointOf(pathname: string): { endpoint: Taken; params: Record<string, string> } | null {
  for (const endpoint of endpoints) {
    const [matched, id] = new RegExp(`^${endpoint.path.replace('{id}', '([1-9]\\d*)')}$`).exec(pathname) ?? []
    if (matched !== undefined) return { endpoint, params: id === undefined ? {} : { id } }
  }
  return null
}

type Called = { method: string; url: string; headers: Headers }

/** A loan or a return with its key, which no outbox sends: what leaves one has its seal, and is kept there. */
export const isToBeTakenUp = ({ method, url, headers }: Called, origin: string): boolean =>
  method === 'POST' &&
  new URL(url).origin === origin &&
  headers.has('idempotency-key') &&
  !headers.has(sealHeader) &&
  endpointOf(new URL(url).pathname) !== null

/**
 * Keeps what a page sent by itself, and no network took, in the outbox under the same key; once, however often it comes.
 * Answers false where it is not kept: it is of nobody who is signed in on this device, is being sent from the outbox, or
 * a person decides or has decided about it.
 */
export async function takeUp(
  { url, headers }: Called,
  frozen_body: string,
  now = new Date(),
): Promise<boolean> {
  const call = endpointOf(new URL(url).pathname)
  const key = v.safeParse(uuid, headers.get('idempotency-key'))
  const body = call && v.safeParse(call.endpoint.body, jsonOf(frozen_body))
  if (!call || !key.success || !body?.success) return false
  const { occurred_at: _, device_id, ...told } = body.output
  const action = await actionOf(call.endpoint, call.params, told)
  const device = device_id ?? (await deviceId())
  const id = key.output
  const write = () =>
    transactSealing(async (tx, { seal }) => {
      const meta = tx.objectStore('meta')
      const session = await liveSession(meta)
      if (!session || headers.get('authorization') !== `Bearer ${session.token}`) return 'nobody'
      const known = await findEntry(tx, id)
      if (known)
        return known.state === 'done' || known.state === 'queued' || known.state === 'waiting'
          ? 'known'
          : 'settled'
      const { environment_id, user_id, username } = session
      const site = Number(headers.get('x-site') ?? session.site) || 0
      const actor = { environment_id, user_id, username, site, device_id: device }
      // It may have come to the server: it has been sent once, as it is, and a key has one body.
      const draft = { ...(await draftNext(meta, { action, actor, now, id, frozen_body })), attempts: 1 }
      await tx.objectStore('outbox').add(seal(draft) as Entry)
      return 'added'
    })
  const taken = await writeMakingRoom(write).catch(() => 'nobody' as const)
  if (taken === 'added') tellOutbox({ ids: [id], to_send: true })
  return taken === 'added' || taken === 'known'
}

type Told = Record<string, unknown> & {
  copy?: number | undefined
  copy_code?: string | undefined
  bar_code?: string | undefined
  beneficiary?: number | undefined
  beneficiary_code?: string | undefined
  expected_return_date?: string | undefined
  loan_key?: string | undefined
}

/** Named by what the device knows of it, or else by what was sent. */
async function actionOf(endpoint: Taken, params: Record<string, string>, told: Told): Promise<NewAction> {
  const { copy: copy_id, beneficiary, beneficiary_code, expected_return_date, loan_key } = told
  const code = told.bar_code ?? told.copy_code
  const known = await readLibrary(async (library) => ({
    copy: code === undefined ? await library?.copyById(copy_id ?? 0) : await library?.copyByBarCode(code),
    reader: await library?.beneficiaryById(beneficiary ?? 0),
  }))
  const bar_code = known.copy?.bar_code ?? code ?? null
  const number = copy_id === undefined ? `Prêt n° ${params['id']}` : `Exemplaire n° ${copy_id}`
  const reader = known.reader && readerName(known.reader)
  return {
    endpoint: endpoint.name,
    params,
    body: told,
    copy_id: known.copy?.id ?? copy_id ?? null,
    bar_code,
    beneficiary_id: beneficiary ?? null,
    depends_on: loan_key ?? null,
    label: {
      kind: endpoint === lendCopy ? 'lend' : 'return',
      title: known.copy?.name ?? bar_code ?? number,
      beneficiary: reader ?? (beneficiary_code === undefined ? null : cardWords(beneficiary_code)),
      due: expected_return_date ?? null,
    },
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
