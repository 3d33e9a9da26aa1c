import { readdirSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'

import { describe, expect, it } from 'vitest'

// Forms, changes and dialogs have one way each; the files named here are the kit's, or have a reason.

const sourcesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /\.tsx?$/.test(path))
    .sort()
const files = sourcesOf('src/client')
const text = new Map(files.map((path) => [path, readFileSync(`src/client/${path}`, 'utf8')]))
const filesWith = (...patterns: readonly RegExp[]) =>
  files.filter((path) => patterns.every((pattern) => pattern.test(text.get(path) ?? '')))

/** Calls of the contract that change something, as files import them. */
const changes = readdirSync('src/contract').flatMap((path) =>
  [
    ...readFileSync(`src/contract/${path}`, 'utf8').matchAll(
      /export const (\w+) = endpoint\(\{\s*name: '[^']+',\s*method: '(?:POST|PUT|DELETE)'/g,
    ),
  ].map(([, name = '']) => name),
)

describe('one way', () => {
  it('for a narrow space in an attribute: a string in braces, because a bare one shows its escape', () => {
    expect(filesWith(/\s[a-zA-Z]+="[^"\n]*\\u[0-9a-f]{4}/)).toEqual([])
  })

  it('for a change: useChange', () => {
    expect(filesWith(/\buseMutation\b/)).toEqual(['api/queries.ts'])
    expect(changes).toContain('updateLoan')
    const byHand = new RegExp(
      String.raw`\bcall\(\s*(?:(?:\w+\.)?(?:${changes.join('|')})|\w+\.(?:add|change|remove|toggle))\b`,
    )
    expect(filesWith(byHand)).toEqual([
      'api/mirror-session.ts',
      // At the counter, under the key of a line.
      'catalogue/receive-copy.ts',
      // Dry runs, which only count.
      'closures/closing-data.ts',
      // The home takes back without loading what a mutation needs.
      'home/lane-undo.ts',
      // At the counter, under the key of a line.
      'lending/save-sales.ts',
      'loans/loan-data.ts',
      // What a device says of itself, and the session: no gesture of a person on what is shown.
      'session/report-device.ts',
      'session/sign-in.ts',
      'session/use-sign-out.ts',
    ])
  })

  it('for what is shown to be read again after a change: the resource of its endpoint', () => {
    expect(filesWith(/\.invalidateQueries\(/)).toEqual(['api/live-changes.ts', 'api/refresh-changed.ts'])
  })

  it('for a form: useForm, or useLocalForm where it is not one call', () => {
    expect(filesWith(/<form\b/)).toEqual([
      // The keys of a telephone, whose faults are said beside the lock.
      'lock/code-entry.tsx',
      // What a scanner would have read, typed by hand.
      'scanner/camera-panel.tsx',
      // Two calls in a row that name no wrong field; the form stays until the next screen is there.
      'session/login-screen.tsx',
      'ui/forms/form-element.tsx',
    ])
    expect(filesWith(/<FormElement\b|<FormDialog\b/).length).toBeGreaterThan(10)
  })

  it('for what the server refuses: the fields of the form', () => {
    expect(filesWith(/\bCallError\b/, /\.violations\b|\['violations'\]/)).toEqual([
      'api/call-error.ts',
      'ui/forms/use-fields.ts',
    ])
    expect(filesWith(/useState<[^(]*(?:Violation|Fault|Refusal)/)).toEqual(['ui/forms/use-fields.ts'])
  })

  it('for the envelope of a collection: contract/list.ts', () => {
    const knowing = sourcesOf('src').filter((path) =>
      /hydra:(?:member|totalItems)/.test(readFileSync(`src/${path}`, 'utf8')),
    )
    expect(knowing).toEqual(['contract/list.ts'])
  })

  it('for a dialog: the kit’s own, which knows where it begins', () => {
    expect(filesWith(/<(?:Modal|Drawer)\b/)).toEqual(['ui/dialogs/dialog.tsx', 'ui/dialogs/sheet.tsx'])
    // A form begins in its first field by itself; these are no forms.
    const others = [
      // Its days are filled in by who typed them in the search: it begins where something is left to write.
      'closures/close-dialog.tsx',
      'find/find-dialog.tsx',
      'session/site-dialogs.tsx',
    ]
    const begun = filesWith(/\bdata-autofocus\b/).filter((path) => !path.startsWith('ui/'))
    expect(begun.filter((path) => !others.includes(path))).toEqual([])
  })
})
