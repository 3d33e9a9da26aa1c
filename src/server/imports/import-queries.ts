import { sql } from 'kysely'

import { type Import, type ImportCounts, importRights, imports } from '../../contract/imports.ts'
import type { Collection, ListQuery } from '../../contract/list.ts'
import { type ImportSubject, importSubjects } from '../../domain/import-fields.ts'
import type { Db, Trx } from '../db/handles.ts'
import { accountName } from '../library-facts/person-names.ts'
import { ownColumns, type Source, source } from '../db/lists/source.ts'
import type { Exchange } from '../http/exchange.ts'
import { visibleImports } from '../visibility/visibility.ts'

export const mayImport = (subject: ImportSubject, { caller }: Pick<Exchange, 'caller'>): boolean =>
  caller.rights.has(importRights[subject])

/** Its job was given up: what it did stands, and a new trial finds it done. */
const isGivenUp = sql`(i.status in ('checking', 'running') and not exists (
  select from jobs j where j.kind in ('imports.check', 'imports.run', 'sync.run') and j.ended_at is null and (j.input ->> 'import')::int = i.id))`

const rowsFor = (exchange: Exchange): Source<typeof imports> =>
  source(imports, {
    from: sql`imports i join users u on u.id = i.user_id`,
    where: sql`i.subject = any(${importSubjects.filter((subject) => mayImport(subject, exchange))}::text[])`,
    seen: visibleImports(exchange.visibility, exchange.caller.user_id),
    id: sql`i.id`,
    columns: {
      ...ownColumns('i', 'subject', 'name', 'size', 'opened', 'rows', 'damaged', 'mapping', 'choices'),
      status: sql`case when ${isGivenUp} then 'read' else i.status end`,
      counts: sql`${JSON.stringify(noCounts)}::jsonb || i.counts`,
      ...ownColumns('i', 'samples', 'unknown_sites', 'remarks'),
      problem: sql`case when ${isGivenUp} then 'Le serveur s’est arrêté sur une erreur inattendue : essayez de nouveau. Ce qui a été importé le reste.' else i.problem end`,
      act: sql`i.act`,
      who: accountName('u'),
      created_at: sql`i.created_at`,
      ended_at: sql`i.ended_at`,
    },
  })

export const noCounts: ImportCounts = { added: 0, changed: 0, unchanged: 0, refused: 0, copies: 0, words: 0 }

export const listImports = (db: Db, list: ListQuery, exchange: Exchange): Promise<Collection<Import>> =>
  rowsFor(exchange).list(db, list)

export const findImport = (db: Db | Trx, id: number, exchange: Exchange): Promise<Import | null> =>
  rowsFor(exchange).find(db, id)

export const noSuchImport = 'Cet import n’existe pas.'

/** Where its file and rows lie; locked until the transaction ends. */
export const lockImport = (trx: Trx, id: number) =>
  trx
    .selectFrom('imports')
    .select([
      'id',
      'subject',
      'name',
      'place',
      'rows_file',
      'status',
      'mapping',
      'choices',
      'counts',
      'samples',
      'unknown_sites',
      'remarks',
      'opened',
      'act',
      'rows',
      'damaged',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
