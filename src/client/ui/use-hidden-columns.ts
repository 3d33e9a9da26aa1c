import { currentPersonId } from '../api/current-person.ts'
import { currentPreferences, setPreference, usePreferences } from './preferences.ts'

const none: readonly string[] = []

/** The columns of a list that this person took away on this device, and how to change that. */
export function useHiddenColumns(list: string): [readonly string[], (hidden: readonly string[]) => void] {
  const name = `${currentPersonId()} ${list}`
  const hidden = usePreferences().hidden_columns[name] ?? none
  const change = (next: readonly string[]) =>
    setPreference('hidden_columns', { ...currentPreferences().hidden_columns, [name]: [...next] })
  return [hidden, change]
}
