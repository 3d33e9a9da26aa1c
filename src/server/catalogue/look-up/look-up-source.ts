import type { FoundReference, LookUpSource } from '../../../contract/external-codes.ts'

/** What one source knows of a code, in the fields of a reference; an empty field is left out. */
export type FoundFields = Partial<Pick<FoundReference, 'name' | 'description'>> &
  Partial<Pick<FoundReference, 'tags' | 'reference_data'>> & {
    /** The address of its cover, as the source says it: nothing is believed of it. */
    cover?: string
  }

export type Source = {
  name: LookUpSource
  /** With its port, as the configuration says it. */
  host: string
  /** Where its covers may lie besides. */
  coverHosts: readonly string[]
  /** The length of the picture that it gives where it has none. */
  blankCover?: number
  /** `code` is an ISBN-13 or an EAN of digits. */
  addressOf(code: string): URL
  /** Null when the source does not know the code; throws what it cannot read. */
  read(body: string, code: string): FoundFields | null
}

/** Without the fields that say nothing. */
export const filled = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const text = value?.replace(/\s+/g, ' ').trim() ?? ''
      return text === '' ? [] : [[name, text]]
    }),
  )
