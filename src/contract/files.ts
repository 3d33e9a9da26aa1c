import * as v from 'valibot'

import { type Endpoint, endpoint } from './endpoint.ts'
import type { FileType } from './file-types.ts'
import type { ListShape } from './list.ts'

/** What the page receives of a file; the server streams its bytes. */
export const download = v.object({ name: v.string(), content: v.blob() })
export type Download = v.InferOutput<typeof download>

type Listing = Endpoint & { list: ListShape }

/** The whole list under its filters, so `page` and `limit` are ignored. */
export const exportOf = <const Name extends string, const Types extends readonly [FileType, ...FileType[]]>(
  name: Name,
  of: Listing,
  types: Types,
  summary: string,
) =>
  endpoint({
    name: `${name}.export`,
    method: 'GET',
    path: `/api/export/${name}` as const,
    access: of.access,
    summary,
    list: of.list,
    query: v.strictObject({
      export_type: v.optional(v.picklist(types, `doit être ${types.join(', ')}`), types[0]),
      /** Keys of the columns, in their order; all of them unless said. */
      columns: v.optional(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}(,[a-z_]{1,40}){0,59}$/))),
    }),
    files: types,
    answer: download,
  })
