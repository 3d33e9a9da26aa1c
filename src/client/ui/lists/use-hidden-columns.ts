import { currentPersonId } from '../../api/current-person.ts'
import { currentPreferences, setPreference, usePreferences } from '../../page/preferences.ts'

const none: readonly string[] = []

type HiddenColumns = readonly [
  hidden: readonly string[],
  /** Null restores the first columns. */
  hide: (hidden: readonly string[] | null) => void,
]

/** The columns that this person hid on this device, `atFirst` until they choose. */
export function useHiddenColumns(list: string, atFirst: readonly string[] = none): HiddenColumns {
  const name = `${currentPersonId()} ${list}`
  const hidden = usePreferences().hidden_columns[name] ?? atFirst
  const hide = (next: readonly string[] | null) => {
    const { [name]: _, ...others } = currentPreferences().hidden_columns
    setPreference('hidden_columns', next ? { ...others, [name]: [...next] } : others)
  }
  return [hidden, hide]
}
