import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

import { emitter } from '../../domain/emitter.ts'

// Preferences of this device, which survive sign-out; each invalid value falls back on its own.
const preferencesSchema = v.object({
  theme: v.fallback(v.picklist(['light', 'dark', 'auto']), 'auto'),
  sound: v.fallback(v.boolean(), true),
  /** Typed by the scanner before each code; empty when it types none. */
  scanner_prefix: v.fallback(v.pipe(v.string(), v.maxLength(10)), ''),
  /** Letters alone are shortcuts. */
  lone_keys: v.fallback(v.boolean(), true),
  install_hint: v.fallback(v.boolean(), true),
  /** The day from which home offers to close the public holidays again. */
  holidays_from: v.fallback(v.string(), ''),
  /** Lists on a desktop have low rows. */
  is_dense: v.fallback(v.boolean(), false),
  /** The panel beside a list takes half of the page. */
  is_panel_wide: v.fallback(v.boolean(), false),
  is_menu_folded: v.fallback(v.boolean(), false),
  /** By person and list. */
  hidden_columns: v.fallback(v.record(v.string(), v.array(v.string())), {}),
})
type Preferences = v.InferOutput<typeof preferencesSchema>

const storageKey = 'comptoir.preferences'
const { tell, watch } = emitter()
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

addEventListener('storage', ({ key }) => {
  if (key !== storageKey && key !== null) return
  current = read()
  tell()
})

export const watchPreferences = watch

export const currentPreferences = (): Preferences => current

export const usePreferences = (): Preferences => useSyncExternalStore(watchPreferences, currentPreferences)

export function setPreference<K extends keyof Preferences>(name: K, value: Preferences[K]): void {
  current = { ...current, [name]: value }
  try {
    localStorage.setItem(storageKey, JSON.stringify(current))
  } catch {
    // Storage is full or forbidden: the choice lasts until the page is closed.
  }
  tell()
}

let stopWatching: () => void = () => undefined

/** Keeps the component library's colour scheme among our preferences. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (otherwise: MantineColorScheme) => (typeof localStorage === 'undefined' ? otherwise : current.theme),
  // It sets again what it hears, so the same theme must not be announced twice.
  set: (theme) => {
    if (theme !== current.theme) setPreference('theme', theme)
  },
  subscribe: (onUpdate) => {
    stopWatching = watchPreferences(() => onUpdate(current.theme))
  },
  unsubscribe: () => stopWatching(),
  clear: () => setPreference('theme', 'auto'),
}
