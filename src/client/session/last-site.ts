import * as v from 'valibot'

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

/** The person's last site here, else the device's last; null without any. */
export function lastSiteOf(environment_id: number | null, user_id: number): number | null {
  const here = read().filter((one) => one.environment_id === environment_id)
  return (here.find((one) => one.user_id === user_id) ?? here[0])?.site_id ?? null
}
