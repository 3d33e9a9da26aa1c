// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { rightsOfForms } from '../../src/client/help/keys-table.tsx'
import { helpAt, helpOfScreens } from '../../src/client/help/help-dialog.tsx'
import { screens } from '../../src/client/app/screens.tsx'

// Each screen is told in a few sentences, and nothing else is.

const paths = screens.map(({ path }) => path)

describe('the help of screens', () => {
  it('tells every screen, and no other', () => {
    expect(Object.keys(helpOfScreens).sort()).toEqual([...paths].sort())
  })

  it('says two to five sentences of each, as the house writes them', () => {
    const wrong = Object.entries(helpOfScreens).filter(
      ([, { title, says }]) =>
        title === '' ||
        says.length < 2 ||
        says.length > 5 ||
        new Set(says).size < says.length ||
        says.some((sentence) => !/[.?]$/.test(sentence) || /'| [:;?!»]|« /.test(sentence)),
    )
    expect(wrong).toEqual([])
  })

  it('names between « and » only what the product says elsewhere', () => {
    const elsewhere = ['src/client', 'src/domain', 'src/contract']
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((file) => /\.tsx?$/.test(file) && !/^help\b/.test(file))
          .map((file) => readFileSync(join(folder, file), 'utf8')),
      )
      .join('\n')
    const named = Object.values(helpOfScreens).flatMap(({ says }) =>
      says.flatMap((sentence) =>
        Array.from(sentence.matchAll(/«\u00a0(.*?)\u00a0»/g), ([, name = '']) => name),
      ),
    )
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter((name) => !elsewhere.includes(name))).toEqual([])
  })

  it('tells the key that saves a form to whoever has one', () => {
    const forms = [
      '/beneficiaries/add',
      '/beneficiaries/edit/:beneficiary_id',
      '/references/add',
      '/references/edit/:reference_id',
      '/inventories/add',
      '/loanings/edit/:loaning_id',
      '/reservations/add',
      '/reservations/edit/:reservation_id',
      '/settings/global',
      '/settings/permissions',
    ]
    const rights = forms.flatMap((path) => screens.find((screen) => screen.path === path)?.rights ?? [])
    // A model of a mail is read by all, and changed by those of this right alone.
    expect([...rightsOfForms].sort()).toEqual([...new Set([...rights, 'PARAMETER_MAIL'])].sort())
    const written = readdirSync('src/client', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.tsx') && /<FormPage\b/.test(readFileSync(join('src/client', file), 'utf8')),
    )
    expect(written).toHaveLength(forms.length + 1)
  })

  it('finds the help of a record by its address, and none where there is no screen', () => {
    expect(helpAt('/loanings/view/12')?.title).toBe('Fiche d’un prêt')
    expect(helpAt('/settings/lists/types')?.title).toBe('Fonctions')
    expect(helpAt('/nowhere')).toBeUndefined()
    for (const path of paths) expect(helpAt(path.replace(/:\w+/, '1'))).toBe(helpOfScreens[path])
  })
})
