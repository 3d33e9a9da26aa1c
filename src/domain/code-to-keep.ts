import { cleanScan, type Symbology, wholeScan, writtenForms } from './bar-code.ts'

/** What to keep of a scan that nobody here can look up: the likeliest code, with the guards that may be part of the label. */
export function codeToKeep(text: string, symbology?: Symbology): string {
  const [likely = '', ...others] = writtenForms(text, symbology)
  const isGuarded = (form: string) => wholeScan(form) === form && cleanScan(form) === likely
  return others.find(isGuarded) ?? likely
}
