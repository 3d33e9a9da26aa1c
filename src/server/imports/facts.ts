/** A record as its journal tells it. */
export type Facts = Record<string, unknown>
