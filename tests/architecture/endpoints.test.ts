import { expect, it } from 'vitest'

import { endpoints } from '../../src/contract/endpoints.ts'
import { bindings } from '../../src/server/app.ts'

it('the server binds every call of the contract to one verb', () => {
  expect(bindings.map(({ endpoint }) => endpoint.name).sort()).toEqual(
    endpoints.map(({ name }) => name).sort(),
  )
})

it('the contract names every call and every address once', () => {
  expect(new Set(endpoints.map(({ name }) => name)).size).toBe(endpoints.length)
  expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(endpoints.length)
})

it('a call bound as reading is a GET, or sends what it asks about', () => {
  const sending = bindings.filter(({ kind, endpoint }) => kind === 'read' && endpoint.method !== 'GET')
  expect(sending.map(({ endpoint }) => endpoint.name).sort()).toEqual([
    'auth',
    'closures.preview',
    'mail_templates.preview',
  ])
})
