import { violation } from '../http/outcome.ts'

/** The library switched this mail off. */
export const templateOff = (code: string) =>
  violation('template', `Le modèle de courriel « ${code} » est désactivé.`)

/** What the library wrote cannot be rendered; `problem` says where. */
export const templateBroken = (code: string, problem: string) =>
  violation('template', `Le modèle de courriel « ${code} » ne peut pas être lu (${problem}).`)
