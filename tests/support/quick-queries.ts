// Testing Library's waiting, roles and styles cost more than the screen that they are asked of; these give the same answers for less.
// page-globals.ts puts them in place before the library is first loaded.
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)
const inLibrary = (name: string) => load(`@testing-library/dom/dist/${name}.js`) as Record<string, unknown>

// A test may move the clock; waiting goes by the machine's.
const { setTimeout, clearTimeout, performance } = globalThis

type Wait = { container?: Node; timeout?: number; interval?: number; onTimeout?: (error: Error) => Error }
type Configuration = {
  asyncUtilTimeout: number
  asyncWrapper<T>(work: () => Promise<T>): Promise<T>
}

/** At rest it looks so often. */
const restMs = 20
const longestRestMs = 200
/** A look that cost much is not repeated for a while, so that the page comes further meanwhile. */
const restsPerLook = 3

/** Looks anew after changes of the page and at intervals, as the library's own does, but never more than a quarter of the time. */
export function waitPatiently(): void {
  const { getConfig, runWithExpensiveErrorDiagnosticsDisabled: quietly } = inLibrary('config') as {
    getConfig(): Configuration
    runWithExpensiveErrorDiagnosticsDisabled<T>(work: () => T): T
  }
  const waitFor = <T>(look: () => T | Promise<T>, options: Wait = {}): Promise<T> => {
    const {
      container = document,
      timeout = getConfig().asyncUtilTimeout,
      interval,
      onTimeout = (error: Error) => error,
    } = options
    const asked = new Error('asked')
    Error.captureStackTrace(asked, waitFor)
    const wait = () =>
      new Promise<T>((resolve, reject) => {
        let isOver = false
        let isLooking = false
        let lastError: unknown
        let cost = 0
        let lookedAt = 0
        let next: ReturnType<typeof setTimeout> | undefined
        const end = (tell: () => void) => {
          isOver = true
          clearTimeout(last)
          clearTimeout(next)
          observer.disconnect()
          tell()
        }
        const plan = (ms: number) => {
          clearTimeout(next)
          next = setTimeout(lookOnce, ms)
        }
        const planNext = () =>
          plan(interval ?? Math.min(Math.max(restMs, restsPerLook * cost), longestRestMs))
        const fail = (error: unknown) => {
          lastError = error
          planNext()
        }
        const lookOnce = () => {
          if (isOver || isLooking) return
          const began = performance.now()
          try {
            const seen = quietly(look)
            if (seen instanceof Promise || typeof (seen as PromiseLike<T> | null)?.then === 'function') {
              isLooking = true
              Promise.resolve(seen).then(
                (value) => {
                  isLooking = false
                  if (!isOver) end(() => resolve(value))
                },
                (error: unknown) => {
                  isLooking = false
                  if (!isOver) fail(error)
                },
              )
            } else end(() => resolve(seen))
          } catch (error) {
            fail(error)
          } finally {
            lookedAt = performance.now()
            cost = lookedAt - began
          }
        }
        const observer = new MutationObserver(() => {
          // A test that names an interval is looked for at that interval alone.
          if (!isLooking && interval === undefined)
            plan(Math.max(0, lookedAt + restsPerLook * cost - performance.now()))
        })
        const last = setTimeout(() => {
          const error = lastError instanceof Error ? lastError : new Error('Timed out in waitFor.')
          error.message += toldOf(document, error.message)
          if (error.name === 'TestingLibraryElementError' || error !== lastError)
            error.stack = asked.stack?.replace('asked', error.message) ?? ''
          end(() => reject(onTimeout(error)))
        }, timeout)
        observer.observe(container, {
          subtree: true,
          childList: true,
          attributes: true,
          characterData: true,
        })
        lookOnce()
      })
    return getConfig().asyncWrapper(wait)
  }
  inLibrary('wait-for')['waitFor'] = waitFor
}

const mostSigns = 400

/** Where the page stood when what was waited for had not come, in a few lines: a whole page would hide it. */
function toldOf(page: Document, sought: string): string {
  const texts = (selector: string) => Array.from(page.querySelectorAll(selector), textOf).filter(Boolean)
  const dialogs = page.querySelectorAll('[role="dialog"], [role="alertdialog"]')
  const [, role] = /\brole[= ]"(\w+)"/.exec(sought) ?? []
  const lines = {
    titles: texts('h1'),
    dialogs: Array.from(dialogs, nameOf),
    said: texts('[role="alert"], [role="status"]'),
    'in front': [
      textOf(
        dialogs.item(dialogs.length - 1) ?? page.querySelector('main') ?? document.createElement('main'),
      ),
    ],
    ...(role === undefined ? {} : { [`of role ${role}`]: namesOf(page.body, role) }),
  }
  return Object.entries(lines)
    .filter(([, told]) => told.length > 0)
    .map(([name, told]) => `\n  ${name}: ${told.join(' | ').slice(0, mostSigns)}`)
    .join('')
}

const textOf = ({ textContent }: Element): string => textContent.replaceAll(/\s+/g, ' ').trim()
const nameOf = (element: Element): string => {
  const names = load('dom-accessibility-api') as { computeAccessibleName(one: Element): string }
  return names.computeAccessibleName(element)
}
const namesOf = (place: HTMLElement, role: string): string[] => {
  const helpers = inLibrary('role-helpers') as { getRoles(place: HTMLElement): Record<string, Element[]> }
  return (helpers.getRoles(place)[role] ?? []).map(nameOf)
}

/** All that the roles of elements are told by. */
const tellingOfRole = [
  'type',
  'scope',
  'list',
  'multiple',
  'size',
  'aria-label',
  'aria-labelledby',
  'name',
  'alt',
  'href',
]

/** Alike elements have the same roles: the library tries some eighty selectors on each. */
export function rememberRoles(): void {
  const helpers = inLibrary('role-helpers') as { getImplicitAriaRoles(element: Element): string[] }
  const find = helpers.getImplicitAriaRoles
  const known = new Map<string, string[]>()
  helpers.getImplicitAriaRoles = (element) => {
    let like = element.tagName
    for (const name of tellingOfRole) {
      const value = element.getAttribute(name)
      // Only whether an element has a name changes its role, not which name.
      if (value !== null)
        like += ` ${name}=${name === 'type' || name === 'scope' || name === 'size' ? value : value !== ''}`
    }
    const found = known.get(like) ?? find(element)
    known.set(like, found)
    return found
  }
}

const asked = ['display', 'visibility', 'opacity', 'pointer-events', 'content'] as const
const inherited = new Set<string>(['visibility', 'pointer-events'])
const initial: Record<string, string> = {
  visibility: 'visible',
  opacity: '1',
  'pointer-events': 'auto',
  content: 'normal',
}
/**
 * What hides an element is its own style or that of one around it: no test has the sheets of our screens, and the component library's
 * own hide nothing that we use. Any other property is looked for as ever.
 */
export function readStylesLightly(page: Window & typeof globalThis): void {
  const whole = page.getComputedStyle.bind(page)
  const own = (element: Element, name: string): string =>
    element.getAttribute('style')?.includes(name) === true
      ? (element as HTMLElement).style.getPropertyValue(name)
      : ''
  /** By its tag, of which the page's own sheet tells; names are put together by it. */
  const displays = new Map<string, string>()
  const displayOf = (element: Element): string => {
    const { tagName } = element
    if (tagName === 'DIALOG') return element.hasAttribute('open') ? 'block' : 'none'
    const known = displays.get(tagName)
    if (known !== undefined) return known
    const bare = document.createElement(tagName)
    document.documentElement.append(bare)
    const found = whole(bare).display
    bare.remove()
    displays.set(tagName, found)
    return found
  }
  const valueOf = (element: Element, name: string): string => {
    const value = own(element, name)
    if (value !== '' && value !== 'inherit') return value
    if (name === 'display') return displayOf(element)
    if (inherited.has(name))
      for (let one = element.parentElement; one !== null; one = one.parentElement) {
        const around = own(one, name)
        if (around !== '' && around !== 'inherit') return around
      }
    return initial[name] ?? ''
  }
  const read = (element: Element): CSSStyleDeclaration => {
    let all: CSSStyleDeclaration | undefined
    const everything = () => (all ??= whole(element))
    const isAsked = (name: string): boolean => (asked as readonly string[]).includes(name)
    return new Proxy({} as CSSStyleDeclaration, {
      get: (_, name) => {
        if (name === 'getPropertyValue')
          return (wanted: string) =>
            isAsked(wanted) ? valueOf(element, wanted) : everything().getPropertyValue(wanted)
        if (name === 'pointerEvents') return valueOf(element, 'pointer-events')
        if (typeof name === 'string' && isAsked(name)) return valueOf(element, name)
        return Reflect.get(everything(), name) as unknown
      },
      has: (_, name) => name in everything(),
    })
  }
  const styles = new WeakMap<Element, CSSStyleDeclaration>()
  const getComputedStyle = (element: Element) => {
    const style = styles.get(element) ?? read(element)
    styles.set(element, style)
    return style
  }
  Object.assign(page, { getComputedStyle })
  Object.assign(globalThis, { getComputedStyle })
}
