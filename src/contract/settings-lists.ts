import { categories } from './categories.ts'
import type { Described } from './described.ts'
import { keywords } from './keywords.ts'
import { labelPrinters, labelSheets } from './label-lists.ts'
import { locations } from './locations.ts'
import { reasons } from './reasons.ts'

const lists = [reasons, categories, locations, labelSheets, labelPrinters, keywords] as const

export type SettingsListName = (typeof lists)[number]['name']

/** Every list that is served, journalled, archived, helped with and tested from its description. */
export const settingsLists: readonly Described[] = lists
