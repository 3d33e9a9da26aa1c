import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'

import { openMachines } from '../../src/server/db/connections/machines.ts'
import { isDatabaseUnreachable } from '../../src/server/db/connections/unreachable.ts'

describe('isDatabaseUnreachable', () => {
  it('takes a machine that says nothing for one to ask again later, as one that refuses', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const machines = openMachines(`postgres://nobody@127.0.0.1:${port},127.0.0.1:1/base`)
    const refusal = await machines
      .connect((target) => new pg.Client({ ...target, connectionTimeoutMillis: 100 }))
      .then(
        () => null,
        (error: unknown) => error,
      )
    expect(String(refusal)).toContain('timeout expired')
    expect(isDatabaseUnreachable(refusal)).toBe(true)
  })

  it('takes nothing else for it', () => {
    expect(isDatabaseUnreachable(new Error('wrong'))).toBe(false)
    expect(
      isDatabaseUnreachable(Object.assign(new Error('no file'), { code: 'ENOENT', syscall: 'open' })),
    ).toBe(false)
  })
})
