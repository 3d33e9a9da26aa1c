/** What a screen is for, what hands do there, and what to know before: two to five sentences. */
export type ScreenHelp = { title: string; says: readonly string[] }

/** By the address of `app/screens.tsx`. */
export type HelpOfScreens = Readonly<Record<string, ScreenHelp>>
