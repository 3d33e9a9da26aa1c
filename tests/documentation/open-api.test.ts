import { expect, it } from 'vitest'

import { endpoints } from '../../src/contract/endpoints.ts'
import { openApi } from '../../src/server/documentation/open-api.ts'

it('describes every call with its body, its filters and its right', () => {
  const paths = openApi()['paths'] as Record<string, Record<string, Record<string, unknown>>>
  for (const { method, path, name } of endpoints) {
    expect(paths[path]?.[method.toLowerCase()]?.['operationId']).toBe(name)
  }
  const lend = paths['/api/loanings']?.['post']
  expect(JSON.stringify(lend)).toContain('"additionalProperties":false')
  expect(lend?.['description']).toBe('Droit\u202f: LOANING_ADD.')
  const parameters = paths['/api/loanings']?.['get']?.['parameters'] as { name: string }[]
  expect(parameters.map((parameter) => parameter.name)).toContain('filters[end_date|lte]')
})
