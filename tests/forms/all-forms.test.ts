import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { formsOfTheApp, triedElsewhere } from './forms-of-the-app.ts'

/** What every form begins with: an element of its own, or a piece of the kit. */
const begun =
  /<(?:form|FormElement|FormDialog|FormPage|StepPanel|LoanDialog|MotiveDialog|OneFieldDialog)(?=[\s>])/g
/** Each of these is a piece that others fill in. */
const pieces = [
  'loans/loan-dialog.tsx',
  'start/step-panel.tsx',
  'ui/forms/form-dialog.tsx',
  'ui/forms/form-element.tsx',
  'ui/forms/form-page.tsx',
]
const root = 'src/client'
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !pieces.includes(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

describe('the table of forms', () => {
  it('has every form of the app', () => {
    const missing = files.flatMap(({ file, text }) => {
      const count = [...text.matchAll(begun)].length
      if (count === 0 || file in triedElsewhere) return []
      const known = formsOfTheApp.filter((form) => form.file === file).length
      return known < count ? [`${file}: ${count} forms, ${known} in the table`] : []
    })
    expect(missing).toEqual([])
  })

  it('has each list of the settings that is a resource', () => {
    const lists = files.filter(({ text }) => /<ResourceScreen(?=[\s>])/.test(text)).length
    const tried = formsOfTheApp.filter(({ file }) => file === 'ui/lists/resource-screen.tsx').length
    expect(tried).toBeGreaterThanOrEqual(lists)
  })

  it('names no file that is gone', () => {
    const named = [...formsOfTheApp.map(({ file }) => file), ...Object.keys(triedElsewhere)]
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
    expect(Object.values(triedElsewhere).filter((file) => !existsSync(file))).toEqual([])
  })
})
