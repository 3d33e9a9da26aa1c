import { sql } from 'kysely'

import type { ImportChoices, Mapping, OpenedFile } from '../../contract/imports.ts'
import type { ImportSubject } from '../../domain/import-fields.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'

/** By what a file is known as one of a shape: the names of its columns, in order. */
export const signatureOf = (columns: OpenedFile['columns']): string =>
  columns.map(({ name }) => name.trim().toLowerCase()).join('\u001f')

type Kept = { name: string; mapping: Mapping; choices: ImportChoices }

/** The mapping that was last kept for files of this shape. */
export async function keptMapping(trx: Trx, subject: ImportSubject, columns: string): Promise<Kept | null> {
  if (columns === '') return null
  const { rows } = await sql<Kept>`
    select name, mapping, choices from import_mappings
    where subject = ${subject} and columns = ${columns} order by date_update desc limit 1`.execute(trx)
  return rows[0] ?? null
}

type Named = Kept & { subject: ImportSubject; columns: string }

export async function keepMapping(
  trx: Trx,
  { subject, name, columns, mapping, choices }: Named,
  { now }: Exchange,
): Promise<void> {
  await sql`
    insert into import_mappings (subject, name, columns, mapping, choices, date_update)
    values (${subject}, ${name}, ${columns}, ${JSON.stringify(mapping)}, ${JSON.stringify(choices)}, ${now.toISOString()})
    on conflict (subject, search_text(name)) do update
    set columns = excluded.columns, mapping = excluded.mapping, choices = excluded.choices, date_update = excluded.date_update`.execute(
    trx,
  )
}
