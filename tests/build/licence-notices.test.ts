import { describe, expect, it } from 'vitest'

import { findPackage, packageOfFile, withAllTheyNeed } from '../../src/build/installed-package.ts'
import { noticesOf } from '../../src/build/licence-notices.ts'

const silent = {
  name: 'sans-voix',
  version: '1.2.3',
  licence: '',
  author: 'Léa Roy',
  text: '',
  folder: '/nowhere',
  needs: [],
}

describe('noticesOf', () => {
  it('names a work with its version, its licence and the text of it', () => {
    const notices = noticesOf([{ ...silent, licence: 'EUPL-1.2', text: 'Texte de la licence.' }])
    expect(notices).toMatch(/sans-voix 1\.2\.3\nLicence\u00a0: EUPL-1\.2\n\nTexte de la licence\.\n/)
  })

  it('takes a known licence for its text, with the author’s name', () => {
    const notices = noticesOf([{ ...silent, licence: '(MIT OR EUPL-1.2)' }])
    expect(notices).toContain('© Léa Roy\n')
  })

  it.each(['', 'UNLICENSED', 'SEE LICENSE IN nowhere'])(
    'stops a build that holds a work under « %s »',
    (licence) => {
      expect(() => noticesOf([{ ...silent, licence }])).toThrow('sans-voix')
    },
  )
})

it('packageOfFile knows the package of a file, and none of a file of ours', () => {
  expect(packageOfFile(`${process.cwd()}/node_modules/@tanstack/react-query/build/x.js?v=1`)).toMatchObject({
    name: '@tanstack/react-query',
    licence: 'MIT',
    text: expect.stringContaining('Tanner Linsley'),
  })
  expect(packageOfFile(`${process.cwd()}/src/client/main.tsx`)).toBeNull()
})

it('withAllTheyNeed follows what a package needs, and leaves out what it merely gets along with', () => {
  const needed = ['pg', 'valibot'].flatMap((name) => findPackage(name, process.cwd()) ?? [])
  const names = withAllTheyNeed(needed).map(({ name }) => name)
  expect(names).toContain('postgres-bytea')
  expect(names).not.toContain('typescript')
})
