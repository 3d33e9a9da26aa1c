import { allSites, useSiteChoices } from '../session/site-data.ts'
import { useCurrentUser } from '../session/user-data.ts'
import { asChoice } from '../ui/forms/as-choice.ts'

/** Which sites the person may close: each that is open to them, and all at once where every one is. */
export function useClosableSites(): { value: string; label: string }[] {
  const choices = useSiteChoices(useCurrentUser())
  const [only] = choices
  // Who works at the one site that there is closes it as « all sites » would.
  return choices.length === 1 && only
    ? [{ value: String(only.id), label: only.name }]
    : choices.toSorted((a, b) => Number(b.id === allSites.id) - Number(a.id === allSites.id)).map(asChoice)
}

/** As the calls have it: none in particular closes every site. */
export const siteOf = (value: string | number | null | undefined): number | null => Number(value) || null
