import type { FoundReference, LookUpSource } from '../../../contract/external-codes.ts'

/** What one source knows of a code, in the fields of a reference; an empty field is left out. */
export type FoundFields = Partial<Pick<FoundReference, 'name' | 'description'>> &
  Partial<Pick<FoundReference, 'tags' | 'reference_data'>> & {
    /** The address of its cover, as the source says it: nothing is believed of it. */
    cover?: string
  }

/** The body of an address at the source's own host; throws where there is none in time. */
export type Ask = (address: URL, withinMs?: number) => Promise<string>

export type Source = {
  name: LookUpSource
  /** With its port, as the configuration says it. */
  host: string
  /** Where its covers may lie besides. */
  coverHosts: readonly string[]
  /** The length of the picture that it gives where it has none. */
  blankCover?: number
  /** `code` is an ISBN-13 or an EAN of digits. Null when the source does not know it; throws what it cannot read. */
  find(code: string, ask: Ask): Promise<FoundFields | null>
}

/** Without the fields that say nothing. */
export const filled = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const text = value?.replace(/\s+/g, ' ').trim() ?? ''
      return text === '' ? [] : [[name, text]]
    }),
  )
