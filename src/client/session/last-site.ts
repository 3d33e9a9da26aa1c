import * as v from 'valibot'

import type { CurrentUser } from '../../contract/session.ts'

const lastSchema = v.array(
  v.object({ environment_id: v.nullable(v.number()), user_id: v.number(), site_id: v.number() }),
)
type Last = v.InferOutput<typeof lastSchema>

const storageKey = 'comptoir.last_sites'
const mostKept = 50

function read(): Last {
  try {
    const parsed = v.safeParse(lastSchema, JSON.parse(localStorage.getItem(storageKey) ?? '[]'))
    return parsed.success ? parsed.output : []
  } catch {
    return []
  }
}

export function rememberLastSite(environment_id: number | null, user_id: number, site_id: number): void {
  const others = read().filter((one) => one.environment_id !== environment_id || one.user_id !== user_id)
  const last = [{ environment_id, user_id, site_id }, ...others].slice(0, mostKept)
  try {
    localStorage.setItem(storageKey, JSON.stringify(last))
  } catch {
    // Storage is full or forbidden: the next sign-in preselects nothing.
  }
}

export type UsualSite = { id: number; note: string }

/** The person's last site here, else where they worked last elsewhere, else the device's last; null without any. */
export function usualSiteOf(
  environment_id: number | null,
  { id, sites, usual_site }: Pick<CurrentUser, 'id' | 'sites' | 'usual_site'>,
): UsualSite | null {
  const here = read().filter((one) => one.environment_id === environment_id)
  const own = here.find(({ user_id }) => user_id === id)
  if (!own && sites.some((site) => site.id === usual_site))
    return { id: usual_site!, note: 'Votre dernier site' }
  const last = own ?? here[0]
  return last ? { id: last.site_id, note: 'Dernier site de cet appareil' } : null
}
