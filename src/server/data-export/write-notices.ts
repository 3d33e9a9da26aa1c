import { sql } from 'kysely'

import { type CopyState, copyStates } from '../../domain/loan-rules.ts'
import {
  type NoticeCopy,
  type NoticeReference,
  type WrittenField,
  type WrittenNotice,
  writtenNotice,
} from '../../domain/written-notice.ts'
import type { Trx } from '../db/handles.ts'
import { bytesInMemory } from '../import-files/file-bytes.ts'
import type { FileCharset } from '../import-files/import-file.ts'
import { iso2709Rows } from '../import-files/iso-2709.ts'
import { judgeCharset } from '../import-files/judge-charset.ts'
import { marcXmlRows } from '../import-files/marc-xml.ts'

const recordEnd = '\u001d'
const fieldEnd = '\u001e'
const subfieldStart = '\u001f'
const longestField = 9999
const longestNotice = 99_999

/** A notice in ISO 2709, in UTF-8. What its format has no room for is left out from its end: the copies first. */
export function iso2709Notice({ leader, fields }: WrittenNotice): Buffer {
  const directory: string[] = []
  const contents: Buffer[] = []
  let start = 0
  for (const field of fields) {
    const content = contentOf(field)
    const after = 24 + 12 * (directory.length + 1) + 1 + start + content.length + 1
    if (content.length > longestField || after > longestNotice) continue
    directory.push(`${field.tag}${padded(content.length, 4)}${padded(start, 5)}`)
    contents.push(content)
    start += content.length
  }
  const base = 24 + 12 * directory.length + 1
  const head = `${padded(base + start + 1, 5)}${leader.slice(5, 10)}22${padded(base, 5)}${leader.slice(17)}`
  return Buffer.concat([
    Buffer.from(`${head}${directory.join('')}${fieldEnd}`, 'latin1'),
    ...contents,
    Buffer.from(recordEnd),
  ])
}

const padded = (number: number, width: number) => String(number).padStart(width, '0')

const contentOf = ({ indicators, value = '', subfields }: WrittenField): Buffer => {
  const parts = subfields.map((part) => `${subfieldStart}${part.code}${plain(part.value)}`)
  return Buffer.from(
    parts.length > 0 ? `${indicators.padEnd(2)}${parts.join('')}${fieldEnd}` : `${plain(value)}${fieldEnd}`,
  )
}

/** Signs that would end a field. */
// oxlint-disable-next-line no-control-regex -- that is what is looked for
const plain = (text: string) => text.replace(/[\u0000-\u0009\u000b-\u001f]/g, ' ')

type Row = NoticeReference & {
  audience: NoticeCopy['audience']
  copies: (Omit<NoticeCopy, 'state' | 'audience'> & { state: CopyState })[]
  format: 'iso2709' | 'marcxml' | null
  content: Buffer | null
  charset: FileCharset | null
}

const atOnce = 200

/** The notices of the catalogue, with their copies, some hundreds at a time. */
export async function* writtenNotices(trx: Trx, library: string): AsyncGenerator<Buffer[]> {
  for (let after = 0; ;) {
    const rows = await readSome(trx, after)
    const last = rows.at(-1)
    if (!last) return
    const notices: Buffer[] = []
    for (const row of rows) {
      const copies = row.copies.map((copy) => ({
        ...copy,
        state: copyStates[copy.state],
        audience: row.audience,
      }))
      notices.push(iso2709Notice(writtenNotice({ ...row, library }, copies, await originalOf(row))))
    }
    yield notices
    after = last.id
  }
}

async function readSome(trx: Trx, after: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select r.id, r.name, r.code, r.description, r.audience, m.name as medium, r.tags, r.reference_data,
      to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD') as created_on,
      n.format, n.content, n.charset,
      (select coalesce(json_agg(k.name order by k.id), '[]')
        from reference_keywords rk join keywords k on k.id = rk.keyword
        where rk.reference = r.id and k.deleted_at is null) as keywords,
      (select coalesce(json_agg(json_build_object('type', t.name, 'name', v.name) order by l.position, v.id), '[]')
        from reference_list_values l join list_values v on v.id = l.list_value join list_types t on t.id = v.type
        where l.reference = r.id and t."group" = 'author') as authors,
      (select coalesce(json_agg(json_build_object('bar_code', c.bar_code, 'site', s.name, 'location', o.label,
          'buy_date', c.buy_date, 'status', c.status, 'state', c.state) order by c.id), '[]')
        from copies c join sites s on s.id = c.site left join locations o on o.id = c.location
        where c.reference = r.id and c.deleted_at is null) as copies
    from "references" r left join media m on m.id = r.medium left join reference_notices n on n.reference = r.id
    where r.id > ${after} and r.deleted_at is null order by r.id limit ${atOnce}`.execute(trx)
  return rows
}

/** The notice that a reference came as; null where it came otherwise, or is no longer readable. */
async function originalOf({ format, content, charset }: Row): Promise<WrittenNotice | null> {
  if (format === null || content === null) return null
  const bytes = bytesInMemory(content)
  const signs = charset ?? (await judgeCharset(bytes, { chosen: undefined, mark: null })).name
  for await (const row of format === 'marcxml' ? marcXmlRows(bytes, signs) : iso2709Rows(bytes, signs)) {
    if (row.type === 'notice') return { leader: row.leader, fields: [...row.fields] }
  }
  return null
}
