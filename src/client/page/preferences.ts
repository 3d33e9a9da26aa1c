import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

// Preferences of this device, whoever signs in: they survive sign-out. A value that is not understood falls back on its own.
const preferencesSchema = v.object({
  theme: v.fallback(v.picklist(['light', 'dark', 'auto']), 'auto'),
  /** Tones at the end of a scan. */
  sound: v.fallback(v.boolean(), true),
  /** What this device's scanner types before each code; empty when it types none. */
  scanner_prefix: v.fallback(v.pipe(v.string(), v.maxLength(10)), ''),
  /** Whether the home still proposes to install the app. */
  install_hint: v.fallback(v.boolean(), true),
  /** Whether a desktop's menu shows its groups alone. */
  is_menu_folded: v.fallback(v.boolean(), false),
  /** Columns that a person does not want to see, by person and list. */
  hidden_columns: v.fallback(v.record(v.string(), v.array(v.string())), {}),
})
export type Preferences = v.InferOutput<typeof preferencesSchema>

const storageKey = 'comptoir.preferences'
const listeners = new Set<() => void>()
let current = read()

function read(): Preferences {
  let stored: unknown
  try {
    stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
  } catch {
    stored = {}
  }
  const parsed = v.safeParse(preferencesSchema, stored)
  return parsed.success ? parsed.output : v.parse(preferencesSchema, {})
}

function tell() {
  for (const listener of listeners) listener()
}

// Another tab of this device changed one.
addEventListener('storage', ({ key }) => {
  if (key !== storageKey && key !== null) return
  current = read()
  tell()
})

export const watchPreferences = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const currentPreferences = (): Preferences => current

/** The device's preferences, followed as they change, in another tab too. */
export const usePreferences = (): Preferences => useSyncExternalStore(watchPreferences, currentPreferences)

/** Changes one preference. Where the browser keeps nothing, it holds until the page is closed. */
export function setPreference<K extends keyof Preferences>(name: K, value: Preferences[K]): void {
  current = { ...current, [name]: value }
  try {
    localStorage.setItem(storageKey, JSON.stringify(current))
  } catch {
    // Storage is full or forbidden: the choice serves this page.
  }
  tell()
}

let stopWatching: () => void = () => undefined

/** Makes the component library keep its colour scheme among our preferences. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (otherwise: MantineColorScheme) => (typeof localStorage === 'undefined' ? otherwise : current.theme),
  // What it hears it sets again: the same theme must not be told twice.
  set: (theme) => {
    if (theme !== current.theme) setPreference('theme', theme)
  },
  subscribe: (onUpdate) => {
    stopWatching = watchPreferences(() => onUpdate(current.theme))
  },
  unsubscribe: () => stopWatching(),
  clear: () => setPreference('theme', 'auto'),
}
