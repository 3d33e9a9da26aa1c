import { readdirSync, readFileSync } from 'node:fs'

import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { describeServer } from '../support/test-server.ts'

type Column = { name: string; type: string }

const folder = 'src/server/db/schema'
const sources = readdirSync(folder).map((name) =>
  readFileSync(`${folder}/${name}`, 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*$/gm, ''),
)
const named = /export type Named = \{([^}]*)\}/.exec(sources.join('\n'))![1]!

/** The members of a type's body, one after the other, whatever stands within them. */
function membersOf(body: string): Column[] {
  const members: string[] = []
  let depth = 0
  let text = ''
  for (const sign of body) {
    if ('{<(['.includes(sign)) depth += 1
    if ('}>)]'.includes(sign)) depth -= 1
    if (depth === 0 && (sign === ';' || sign === '\n')) {
      members.push(text)
      text = ''
    } else text += sign
  }
  members.push(text)
  return members.flatMap((member) => {
    const found = /^\s*(\w+):\s*([^]*)$/.exec(member)
    return found ? [{ name: found[1]!, type: found[2]! }] : []
  })
}

const bodyOf = (type: string) => /^\{([^]*)\}$/.exec(type.trim())?.[1] ?? ''

/** Columns by table, as the types of `server/db/schema` say them. */
const typed = new Map(
  sources.flatMap((source) =>
    [...source.matchAll(/export type \w+Tables = \{\n([^]*?)\n\}/g)].flatMap(([, tables]) =>
      membersOf(tables!).map(({ name, type }): [string, Column[]] => {
        const own = type.replace(/^Named( & )?/, '')
        return [name, [...(own === type ? [] : membersOf(named)), ...membersOf(bodyOf(own))]]
      }),
    ),
  ),
)

describeServer('the types of the tables', (server) => {
  it('say of each column whether it may be null, and name none that is not there', async () => {
    const { rows } = await sql<{ at: string; nullable: boolean }>`
      select table_name || '.' || column_name as at, is_nullable = 'YES' and is_generated = 'NEVER' as nullable
      from information_schema.columns
      where table_schema = current_schema()`.execute(server.db)
    const stored = new Map(rows.map(({ at, nullable }) => [at, nullable]))
    const wrong = [...typed].flatMap(([table, columns]) =>
      columns.flatMap(({ name, type }): object[] => {
        const at = `${table}.${name}`
        // What is computed of others that are there is there; « unknown » may be anything.
        if (/\bunknown\b/.test(type)) return stored.has(at) ? [] : [{ at, stored: 'missing' }]
        const nullable = /\bnull\b/.test(type)
        return stored.get(at) === nullable
          ? []
          : [{ at, typed: nullable, stored: stored.get(at) ?? 'missing' }]
      }),
    )
    expect(typed.size).toBeGreaterThan(60)
    expect([...typed].filter(([, columns]) => columns.length === 0)).toEqual([])
    expect(wrong).toEqual([])
  })

  it('name every column that an insert must give', async () => {
    const { rows } = await sql<{ table: string; name: string }>`
      select table_name as table, column_name as name from information_schema.columns
      where table_schema = current_schema() and is_nullable = 'NO' and column_default is null
        and is_identity = 'NO' and is_generated = 'NEVER'`.execute(server.db)
    const untold = rows.filter(
      ({ table, name }) => typed.get(table)?.every((column) => column.name !== name) ?? false,
    )
    expect(untold).toEqual([])
  })
})
