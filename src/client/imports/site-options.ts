import { useSession } from '../api/session.ts'
import { asChoice } from '../ui/forms/as-choice.ts'

/** The sites where the person works, as options of a field. */
export const useSiteOptions = () => (useSession()?.user?.sites ?? []).map(asChoice)
