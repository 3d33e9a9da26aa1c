import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, copyFile, mkdir, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { sql } from 'kysely'

import type { MediumSettings } from '../../contract/media.ts'
import type {
  getConditions as getConditionsCall,
  getConditionsOfLoan as getConditionsOfLoanCall,
  getConditionsSent as getConditionsSentCall,
  uploadConditions as uploadConditionsCall,
} from '../../contract/medium-changes.ts'
import { plusDays } from '../../domain/calendar-day.ts'
import { invalidFile, shortFileName } from '../../domain/upload-rules.ts'
import type { Trx } from '../db/handles.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { notFound, type Outcome, done, violation } from '../http/outcome.ts'
import { type ServedFile } from '../http/served-file.ts'
import { visibleLoans, visibilityFrom } from '../visibility/visibility.ts'
import { lockMedium, noSuchMedium, settle } from './save-medium.ts'

/** Keeps the PDF under its own hash, so that a new version never takes the place of an older one. */
export async function uploadConditions(
  trx: Trx,
  { params: { id }, file }: VerbInput<typeof uploadConditionsCall>,
  exchange: Exchange,
): Promise<Outcome<MediumSettings>> {
  const before = await lockMedium(trx, id)
  if (!before) return notFound(noSuchMedium)
  if (!(await isPdf(file.path))) {
    return violation('file', `«\u00a0${shortFileName(file.name)}\u00a0» ${invalidFile}`)
  }
  const loaning_conditions_file = pathOf(file.hash.slice(0, 32))
  const kept = join(exchange.environment.files, loaning_conditions_file)
  await mkdir(dirname(kept), { recursive: true })
  const partial = `${kept}.${randomUUID()}.part`
  await copyFile(file.path, partial)
  await rename(partial, kept)
  await trx.updateTable('media').set({ loaning_conditions_file }).where('id', '=', id).execute()
  return settle(trx, exchange, { id, before, action: 'media.upload' })
}

export async function getConditions(
  reads: ReadInTurn,
  { params: { id }, query: { version } }: VerbInput<typeof getConditionsCall>,
  { environment }: Exchange,
): Promise<Outcome<ServedFile>> {
  const medium = await reads((db) =>
    db
      .selectFrom('media')
      .select(['name', 'loaning_conditions_file'])
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  )
  const path = medium?.loaning_conditions_file
  if (!medium || !path || (version !== undefined && path !== pathOf(version))) return notFound(noConditions)
  return keptFile(join(environment.files, path), fileNameOf(medium.name))
}

/** However long ago the loan was: older versions stay under their hash. */
export async function getConditionsOfLoan(
  reads: ReadInTurn,
  { params: { id } }: VerbInput<typeof getConditionsOfLoanCall>,
  { environment, visibility }: Exchange,
): Promise<Outcome<ServedFile>> {
  const { rows } = await reads((db) =>
    sql<{ version: string | null }>`
      select l.conditions_version as version from loanings l
      where l.id = ${id} and l.deleted_at is null and ${visibleLoans(visibilityFrom(visibility, null))}`.execute(
      db,
    ),
  )
  if (!rows[0]) return notFound('Ce prêt n’existe pas.')
  const { version } = rows[0]
  return version === null ? notFound(noConditions) : keptFile(join(environment.files, pathOf(version)))
}

/** A reader may look at the conditions again once their copy is back. */
const daysAfterReturn = 30

/** What was sent does not change, but its link ends, so that no file is open to everybody for ever. */
export async function getConditionsSent(
  _: ReadInTurn,
  { params: { version } }: VerbInput<typeof getConditionsSentCall>,
  { environment, today }: Pick<Exchange, 'environment' | 'today'>,
): Promise<Outcome<ServedFile>> {
  const path = pathOf(version)
  // Turns are those of sessions, and a reader has none.
  const { rows } = await sql<{ is_open: boolean }>`
    select exists (select from media where loaning_conditions_file = ${path} and deleted_at is null)
      or exists (select from loanings
        where conditions_version = ${version} and deleted_at is null and status <> 'cancelled'
          and coalesce(return_date, 'infinity'::date) >= ${plusDays(today, -daysAfterReturn)}::date)
      as is_open`.execute(environment.db)
  return rows[0]?.is_open ? keptFile(join(environment.files, path)) : notFound(noConditions)
}

const pathOf = (version: string) => `conditions/${version}.pdf`

async function keptFile(path: string, name = 'conditions.pdf'): Promise<Outcome<ServedFile>> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  return isThere ? done({ name, type: 'pdf', bytes: bytesOf(path) }) : notFound(noConditions)
}

/** Opens the file once somebody reads, and closes it whenever they stop. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path)
}

const noConditions = 'Ces conditions de prêt n’existent pas, ou ont été remplacées.'

/** `conditions-bande-dessinee.pdf`: names of files in headers are plain letters. */
const fileNameOf = (medium: string): string => {
  const plain = medium
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `conditions-${plain || 'support'}.pdf`
}

/** Its bytes say so: the header stands within the first thousand (ISO 32000, annex H). */
async function isPdf(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0)
    return buffer.subarray(0, bytesRead).includes('%PDF-')
  } finally {
    await file.close()
  }
}
