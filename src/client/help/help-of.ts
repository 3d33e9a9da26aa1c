import { matchPath } from 'react-router-dom'

import { catalogueHelp } from './catalogue-help.ts'
import { counterHelp } from './counter-help.ts'
import { followHelp } from './follow-help.ts'
import { listsHelp } from './lists-help.ts'
import { readerHelp } from './reader-help.ts'
import type { HelpOfScreens, ScreenHelp } from './screen-help.ts'
import { settingsHelp } from './settings-help.ts'
import { statisticsHelp } from './statistics-help.ts'

export const helpOfScreens: HelpOfScreens = {
  ...counterHelp,
  ...readerHelp,
  ...catalogueHelp,
  ...followHelp,
  ...statisticsHelp,
  ...settingsHelp,
  ...listsHelp,
}

/** Help of the screen at an address; none where there is no such screen. */
export const helpAt = (pathname: string): ScreenHelp | undefined =>
  Object.entries(helpOfScreens).find(([path]) => matchPath(path, pathname))?.[1]
