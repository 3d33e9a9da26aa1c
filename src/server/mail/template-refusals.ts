import { violation } from '../http/outcome.ts'

export const disabledTemplate = (code: string) => `Le modèle de courriel «\u00a0${code}\u00a0» est désactivé.`

export const brokenTemplate = (code: string, problem: string) =>
  `Le modèle de courriel «\u00a0${code}\u00a0» ne peut pas être lu (${problem}).`

export const templateOff = (code: string) => violation('template', disabledTemplate(code))

export const templateBroken = (code: string, problem: string) =>
  violation('template', brokenTemplate(code, problem))
