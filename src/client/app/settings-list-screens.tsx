import type { ComponentType } from 'react'

import { type SettingsListName, settingsLists } from '../../contract/settings-lists.ts'
import { KeywordListScreen } from '../catalogue/keyword-list-screen.tsx'
import { LabelSheetScreen } from '../labels/label-sheet-screen.tsx'
import { DelayReasonScreen, FreeReasonScreen } from '../settings/reason-list-screens.tsx'
import { ResourceScreen } from '../ui/lists/resource-screen.tsx'

const described = Object.fromEntries(
  settingsLists.map((of): [string, ComponentType] => [of.name, () => <ResourceScreen of={of} />]),
) as Record<SettingsListName, ComponentType>

/** The settings' lists travel together: each looks as it is described, unless it has a screen of its own here. */
export const settingsListScreens = {
  ...described,
  keywords: KeywordListScreen,
  label_sheets: LabelSheetScreen,
  delay: DelayReasonScreen,
  free: FreeReasonScreen,
}
