import { randomUUID } from 'node:crypto'

import { expect } from 'vitest'

import { clientOf, type TestServer } from '../support/test-server.ts'

/** A change that touches one resource alone: `parameters`. */
export async function setAside(server: TestServer, app = server.app): Promise<void> {
  const admin = clientOf(app, (await server.as('admin')).token)
  const { body } = await admin.get('/api/parameters?limit=100')
  const parameter = (body['hydra:member'] as { id: number; code: string }[]).find(
    ({ code }) => code === 'work_council',
  )
  const value = `Maison ${randomUUID().slice(0, 8)}`
  const answer = await admin.put(`/api/parameters/${parameter?.id}`, { value })
  expect(answer.status).toBe(200)
}
