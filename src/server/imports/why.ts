/** One reason why a row is refused; `field` is the one that would be corrected. */
export type Why = { field: string | null; reason: string }
