import { lookUpSources } from '../../contract/external-codes.ts'
import { type ImageSource, outsideOf } from '../../domain/image-sources.ts'

/** « BnF, puis Open Library ». */
export const ruleInWords = (rule: readonly ImageSource[] | null): string =>
  outsideOf(rule)
    .map((source) => lookUpSources[source])
    .join(', puis ') || 'Nulle part'
