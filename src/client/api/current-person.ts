import { currentSession } from './session.ts'

/** Whose device it is for now: what is kept of a person’s habits is kept under it. */
export const currentPersonId = (): number => currentSession()?.user?.id ?? 0
