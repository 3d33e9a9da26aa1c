import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type * as Library from '@testing-library/dom'

/** Sought by role and name, by label (a password has no role) or by text; `holding` is in any order. */
export type Wanted = (
  { role: string; name?: string | RegExp } | { label: string } | { text: string | RegExp }
) & {
  holding?: string[]
  within?: Wanted
}

/** One that was found: its middle, and whether a pointer put there meets it. */
export type Found = {
  x: number
  y: number
  isReached: boolean
  isEnabled: boolean
  hasFocus: boolean
  value: string
}

/** All that is wanted and in sight, and the page's complaints meanwhile. */
export type Look = { found: Found[]; complaints: string[] }

type Sign = { text: string; isPattern: boolean }
type Plain = { [Key in 'role' | 'name' | 'label' | 'text']?: Sign } & { holding: string[]; within?: Plain }

const signOf = (sign: string | RegExp): Sign =>
  typeof sign === 'string' ? { text: sign, isPattern: false } : { text: sign.source, isPattern: true }

/** As it travels to the page. */
function plain({ within, holding = [], ...signs }: Wanted): Plain {
  const said = Object.entries(signs).map(([key, sign]) => [key, signOf(sign)] as const)
  return { ...Object.fromEntries(said), holding, ...(within && { within: plain(within) }) }
}

// Runs in the page and brings everything it needs with it.
function lookFor(library: typeof Library, complaints: string[]): (wanted: Plain) => Look {
  addEventListener('error', ({ message }) => complaints.push(message))
  addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)))
  addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) =>
    complaints.push(`${violatedDirective}: ${blockedURI}`),
  )
  const flat = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim()
  const sign = ({ text, isPattern }: Sign) => (isPattern ? new RegExp(text) : text)
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
  }
  const elements = (wanted: Plain): HTMLElement[] => {
    const { role, name, label, text, holding, within } = wanted
    const roots = within ? elements(within) : [document.body]
    return roots
      .flatMap((root) => {
        if (role) return library.queryAllByRole(root, role.text, name ? { name: sign(name) } : {})
        if (label) return library.queryAllByLabelText(root, sign(label))
        return text ? library.queryAllByText(root, sign(text)) : []
      })
      .filter(
        (element) => isSeen(element) && holding.every((text) => flat(element.textContent).includes(text)),
      )
  }
  return (wanted) => ({
    found: elements(wanted).map((element, at) => {
      // As a person scrolls to what is to be pressed.
      if (at === 0) element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
      const { left, top, width, height } = element.getBoundingClientRect()
      const [x, y] = [Math.floor(left + width / 2), Math.floor(top + height / 2)]
      const met = document.elementFromPoint(x, y)
      return {
        x,
        y,
        isReached: met !== null && element.contains(met),
        isEnabled: !element.matches(':disabled, [data-disabled], [aria-disabled="true"]'),
        hasFocus: element === document.activeElement,
        value: element instanceof HTMLInputElement ? element.value : '',
      }
    }),
    complaints: complaints.splice(0),
  })
}

const library = readFileSync(
  createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
)

/** A script that looks for something, with the library once a page (`isNew`); null without it. */
export function scriptFor(wanted: Wanted, isNew: boolean): string {
  const look = `return window.comptoirLook ? JSON.stringify(window.comptoirLook(${JSON.stringify(plain(wanted))})) : null`
  if (!isNew) return look
  return `if (!window.comptoirLook) {
    ${library}
    window.comptoirLook = (${lookFor.toString()})(globalThis.TestingLibraryDom, [])
  }
  ${look}`
}

/** Reads what such a script answered; null before the page knows how to look. */
export function lookOf(answer: unknown): Look | null {
  return typeof answer === 'string' ? (JSON.parse(answer) as Look) : null
}
