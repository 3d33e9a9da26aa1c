import { useSession } from '../api/session.ts'

/** The sites where the person works, as options of a field. */
export const useSiteOptions = () =>
  (useSession()?.user?.sites ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
