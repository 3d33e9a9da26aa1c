import * as v from 'valibot'

export type Violation = { propertyPath: string; message: string }

const kinds: Record<string, string> = {
  string: 'doit être un texte',
  number: 'doit être un nombre',
  boolean: 'doit être vrai ou faux',
  array: 'doit être une liste',
  object: 'doit être un objet',
  strict_object: 'doit être un objet',
  record: 'doit être un objet',
  uuid: 'doit être un UUID',
  integer: 'doit être un nombre entier',
}

/** More would not help a person, and a small request must not get a huge answer. */
const mostTold = 20

/** Says in French what a schema refused, each field's name included. */
export function violationsOf(issues: readonly v.BaseIssue<unknown>[]): Violation[] {
  return issues.slice(0, mostTold).map((issue) => {
    const propertyPath = v.getDotPath(issue) ?? ''
    const subject = propertyPath ? `Le champ «\u00a0${propertyPath}\u00a0»` : 'La requête'
    return { propertyPath, message: `${subject} ${predicateOf(issue)}.` }
  })
}

function predicateOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'n’est pas connu'
  if (issue.received === 'undefined') return 'est obligatoire'
  if (issue.type === 'picklist' && issue.message.startsWith('Invalid')) {
    return `doit valoir ${issue.expected?.replaceAll('"', '').replaceAll(' | ', ', ')}`
  }
  if (!issue.message.startsWith('Invalid')) return issue.message
  return kinds[issue.type] ?? 'n’est pas valable'
}
