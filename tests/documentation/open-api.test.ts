import { describe, expect, it } from 'vitest'

import { endpoints } from '../../src/contract/endpoints.ts'
import { openApi } from '../../src/server/documentation/open-api.ts'

describe('the OpenAPI document', () => {
  it('describes every call with its body, its filters and its right', () => {
    const paths = openApi()['paths'] as Record<string, Record<string, Record<string, unknown>>>
    for (const { method, path, name } of endpoints) {
      expect(paths[path]?.[method.toLowerCase()]?.['operationId']).toBe(name)
    }
    const lend = paths['/api/loanings']?.['post']
    expect(JSON.stringify(lend)).toContain('"additionalProperties":false')
    expect(lend?.['description']).toBe('Droit\u202f: Prêter un exemplaire (LOANING_ADD).')
    expect(paths['/api/loanings/{id}/undo']?.['post']?.['description']).toBe(
      'Droit\u202f: Prêter un exemplaire (LOANING_ADD) ou Enregistrer un retour (LOANING_RETURN).',
    )
    expect(paths['/api/users/me']?.['get']?.['description']).toBe('Toute personne connectée.')
    const parameters = paths['/api/loanings']?.['get']?.['parameters'] as { name: string }[]
    expect(parameters.map((parameter) => parameter.name)).toContain('filters[end_date|lte]')
  })

  it('describes the image of the organisation, which is shown before anybody has signed in', () => {
    const paths = openApi()['paths'] as Record<string, Record<string, Record<string, unknown>>>
    const image = paths['/api/image/env/{environment_id}']?.['get']
    expect(image?.['description']).toBe('Sans connexion.')
    expect(image).not.toHaveProperty('security')
    expect(JSON.stringify(image?.['responses'])).toContain('"image/png"')
  })
})
