import { type SettingsListName, settingsLists } from '../contract/settings-lists.ts'
import { locationRules } from './catalogue/locations.ts'
import { bindDescribed, type ListRules } from './http/bind-described.ts'
import { sheetRules } from './labels/label-sheets.ts'
import { reasonRules } from './settings/reasons.ts'

/** Where a list does more than its description says. */
const rules: Partial<Record<SettingsListName, ListRules>> = {
  label_sheets: sheetRules,
  locations: locationRules,
  reasons: reasonRules,
}

export const settingsListRoutes = settingsLists.flatMap((list) =>
  bindDescribed(list, rules[list.name as SettingsListName]),
)
