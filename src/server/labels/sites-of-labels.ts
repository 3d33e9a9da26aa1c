import type { LabelSymbology } from '../../domain/label-symbologies.ts'
import type { Db } from '../db/handles.ts'

type Site = { id: number; name: string; symbology: LabelSymbology }

/** What the labels of each site's copies are written in, by its id. */
export async function sitesOfLabels(db: Db): Promise<Map<number, Site>> {
  const rows = await db
    .selectFrom('sites')
    .select(['id', 'name', 'bar_codes_configuration'])
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(
    rows.map(({ id, name, bar_codes_configuration: { symbology } }) => [id, { id, name, symbology }]),
  )
}
