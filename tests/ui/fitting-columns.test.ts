import { describe, expect, it } from 'vitest'

import { fittingColumns } from '../../src/client/ui/lists/fitting-columns.ts'
import type { Column } from '../../src/client/ui/lists/table-row.tsx'

const column = (key: string, width: number, role?: Column<object>['role']): Column<object> => ({
  key,
  title: key,
  width,
  ...(role ? { role } : {}),
  cell: () => null,
})

const columns = [
  column('title', 0, 'main'),
  column('reader', 12.5),
  column('category', 8, 'extra'),
  column('due', 8, 'lasting'),
  column('tag', 8.75, 'lasting'),
]
const keysAt = (room: number) => fittingColumns(columns, { room, taken: 11.25 }).map(({ key }) => key)

describe('the columns of a list', () => {
  it.each([
    [80, ['title', 'reader', 'category', 'due', 'tag']],
    [54, ['title', 'reader', 'due', 'tag']],
    [41, ['title', 'due', 'tag']],
    [33, ['title', 'due']],
    [20, ['title']],
  ])('leave at %i rem, in their order: those that last after all others', (room, kept) => {
    expect(keysAt(room)).toEqual(kept)
  })

  it('leave a title room before what is there only where room is', () => {
    const examined = [column('title', 0, 'main'), column('author', 11, 'extra'), column('code', 9)]
    const keys = (room: number) => fittingColumns(examined, { room, taken: 7 }).map(({ key }) => key)
    expect(keys(45)).toEqual(['title', 'author', 'code'])
    expect(keys(44)).toEqual(['title', 'code'])
    expect(keys(27)).toEqual(['title', 'code'])
  })

  it('cut one that may be cut, once those that last have their room, and widen it by what is left', () => {
    const ofLoans = [
      column('title', 0, 'main'),
      { ...column('reader', 14.25), least: 6 },
      column('due', 8, 'lasting'),
      column('tag', 8.75),
    ]
    const widths = (room: number, columns = ofLoans) =>
      fittingColumns(columns, { room, taken: 11.25 }).map(({ key, width }) => [key, width])
    expect(widths(60)).toEqual(ofLoans.map(({ key, width }) => [key, width]))
    // Beside a panel at 1440 pixels, and at 1280.
    const [title, , due] = widths(60)
    expect(widths(40)).toEqual([title, ['reader', 9.75], due])
    expect(widths(31)).toEqual([title, due])
    expect(widths(40, ofLoans.slice(0, 3))).toEqual([title, ['reader', 9.75], due])
  })

  it('stand sooner beside a name, which needs less room than a title', () => {
    const site = column('site', 11, 'extra')
    const keys = (main: Column<object>) =>
      fittingColumns([main, site], { room: 33, taken: 7 }).map(({ key }) => key)
    expect(keys(column('title', 0, 'main'))).toEqual(['title'])
    expect(keys({ ...column('lastname', 0, 'main'), ample: 11 })).toEqual(['lastname', 'site'])
  })

  it('are as many on a tablet as are read whole beside its boxes and buttons, whose words wrap', () => {
    const readers = [
      column('matricule', 7.5),
      column('lastname', 0, 'main'),
      column('firstname', 10, 'lasting'),
      column('contract', 10),
      column('exit', 10.5),
    ]
    const keys = (isTablet: boolean) =>
      fittingColumns(readers, { room: 43.25, taken: 6.5, isTablet }).map(({ key }) => key)
    expect(keys(true)).toEqual(['matricule', 'lastname', 'firstname', 'contract'])
    expect(keys(false)).toEqual(['matricule', 'lastname', 'firstname'])
  })
})
