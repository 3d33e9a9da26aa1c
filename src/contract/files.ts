import * as v from 'valibot'

import { type Endpoint, endpoint } from './endpoint.ts'
import type { FileType } from './file-types.ts'
import type { ListShape } from './list.ts'

/** An answer that is a file: what the page receives. The server answers its bytes, as they are made. */
export const download = v.object({ name: v.string(), content: v.blob() })
export type Download = v.InferOutput<typeof download>

type Listing = Endpoint & { list: ListShape }

/** `GET /api/export/{name}`: all that a list holds under these filters, in this order, as a file; `page` and `limit` say nothing here. */
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
    }),
    files: types,
    answer: download,
  })
