import { sql } from 'kysely'

import { type Archive, archives } from '../../contract/archives.ts'
import type { Collection, ListQuery } from '../../contract/list.ts'
import type { Db, Trx } from '../db/handles.ts'
import { type Source, source } from '../db/source.ts'
import type { Exchange } from '../http/exchange.ts'
import { ownArchives } from '../sight/sight.ts'
import { keptHours } from './archive-place.ts'

const rowsFor = ({ sight, caller }: Exchange): Source<typeof archives> =>
  source(archives, {
    from: sql`archives a`,
    where: sql`true`,
    seen: ownArchives(sight, caller.user_id),
    id: sql`a.id`,
    columns: {
      status: sql`a.status`,
      total: sql`a.total`,
      done: sql`a.done`,
      problem: sql`a.problem`,
      size: sql`a.size`,
      created_at: sql`a.created_at`,
      ended_at: sql`a.ended_at`,
      kept_until: sql`a.ended_at + make_interval(hours => ${keptHours})`,
    },
  })

export const listArchives = (db: Db, list: ListQuery, exchange: Exchange): Promise<Collection<Archive>> =>
  rowsFor(exchange).list(db, list)

export const findArchive = (db: Db | Trx, id: number, exchange: Exchange): Promise<Archive | null> =>
  rowsFor(exchange).find(db, id)

export const noSuchArchive = 'Cette archive n’existe pas, ou son jour est passé.'
