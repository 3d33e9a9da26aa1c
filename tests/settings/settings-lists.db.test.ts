import { sql } from 'kysely'

import type { Described } from '../../src/contract/described.ts'
import { settingsLists } from '../../src/contract/settings-lists.ts'
import { describeResource } from '../support/describe-resource.ts'
import { sampleOfList } from '../support/sample-of-list.ts'
import type { TestServer } from '../support/test-server.ts'

/** What a loan without a price is given for is no table that a list counts. */
const useReason = async (server: TestServer, free_reason: number, count: number) => {
  const admin = await server.as('admin')
  for (let copy = 1; copy <= count; copy += 1) {
    await admin.post('/api/loanings', { copy, beneficiary: 1, free: true, free_reason })
  }
}

const useOf = ({ name, description }: Described) => {
  if (name === 'reasons') return useReason
  const counted = Object.values(description.fields).find((field) => field.kind === 'counted')
  if (!counted) return undefined
  const { table, by, through } = counted.of
  return ({ db }: TestServer, id: number, count: number) =>
    (through
      ? sql`insert into ${sql.table(through.table)} (${sql.ref(through.of)}, ${sql.ref(by)})
          select id, ${id} from ${sql.table(table)} where id <= ${count}`
      : sql`update ${sql.table(table)} set ${sql.ref(by)} = ${id} where id <= ${count}`
    ).execute(db)
}

for (const list of settingsLists) {
  const use = useOf(list)
  describeResource(list, {
    one: sampleOfList(list, 'Mine de charbon'),
    other: sampleOfList(list, 'Récits de mer'),
    unique: Object.keys(list.description.fields)[0]!,
    ...(use ? { use } : {}),
  })
}
