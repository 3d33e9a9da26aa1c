import { describe, expect, it } from 'vitest'

import { screens } from '../../src/client/app/screens.tsx'
import { settingsLists } from '../../src/contract/settings-lists.ts'

describe('a settings list', () => {
  it.each(settingsLists.map((list) => [list.name, list] as const))(
    '%s calls its switch « enabled », by which it is switched, filtered and drawn',
    (_, { description: { fields } }) => {
      const switches = Object.entries(fields).filter(([, { kind }]) => kind === 'switched')
      expect(switches.map(([name]) => name)).toEqual('enabled' in fields ? ['enabled'] : [])
    },
  )

  it.each(settingsLists.map((list) => [list.name, list] as const))(
    '%s has its help and its screen at one address, or is a part of other screens',
    (name, { description }) => {
      const hasScreen = screens.some(({ path }) => path === `/settings/${name}`)
      expect(hasScreen).toBe(description.help !== undefined)
    },
  )
})
