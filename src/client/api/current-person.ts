import { currentSession } from './session.ts'

export const currentPersonId = (): number => currentSession()?.user?.id ?? 0
