import type { Locator, Page } from 'playwright-core'

// What a journey asks of a person, by the keystroke-level model (Card, Moran, Newell, 1980), in seconds.
// It is counted and not timed, so that it is the same on every machine.

/** A typist of average skill. */
const key = 0.28
const pointing = 1.1
const handMoved = 0.4
/** Before each field and each choice, but not before what only ends what was filled in. */
const thought = 1.35
const wordRead = 60 / 250

export type ByHand = {
  /** Reads what is newly on the screen, every word that is seen. */
  look(): Promise<void>
  /** Goes to a field by the mouse, unless the page has put the caret there, and types. */
  type(field: Locator, text: string): Promise<void>
  press(button: Locator): Promise<void>
  /** Presses what ends the form, which nobody thinks about. */
  finish(button: Locator): Promise<void>
  /** Enter in the field that was typed in. */
  enter(): Promise<void>
  /** `seconds` without the words of the frame, in which nobody reads every menu; `withMenus` with them. */
  counted(): { keys: number; clicks: number; words: number; seconds: number; withMenus: number }
}

/** Plays a journey and counts keys, clicks and words. */
export function playByHand(page: Page): ByHand {
  const read = new Set<string>()
  let keys = 0
  let clicks = 0
  const words = { page: 0, frame: 0 }
  let thoughts = 0
  let moves = 0
  let hand: 'keyboard' | 'mouse' = 'keyboard'
  const take = (next: typeof hand) => {
    if (hand !== next) moves += 1
    hand = next
  }
  const point = () => {
    take('mouse')
    clicks += 1
  }
  return {
    look: async () => {
      for (const { line, where } of await page.evaluate(linesOnScreen)) {
        if (read.has(line)) continue
        read.add(line)
        words[where] += line.split(/\s+/).filter((word) => /\p{L}|\d/u.test(word)).length
      }
    },
    type: async (field, text) => {
      thoughts += 1
      if (!(await field.evaluate((input) => input === document.activeElement))) point()
      take('keyboard')
      // Capitals take two keys.
      keys += text.length + (text.match(/\p{Lu}/gu)?.length ?? 0)
      await field.fill(text)
    },
    press: async (button) => {
      thoughts += 1
      point()
      await button.click()
    },
    finish: async (button) => {
      point()
      await button.click()
    },
    enter: async () => {
      take('keyboard')
      keys += 1
      await page.keyboard.press('Enter')
    },
    counted: () => {
      const hands = (keys + clicks) * key + clicks * pointing + moves * handMoved + thoughts * thought
      const seconds = hands + words.page * wordRead
      return {
        keys,
        clicks,
        words: words.page,
        seconds,
        withMenus: seconds + words.frame * wordRead,
      }
    },
  }
}

/** The texts that are seen without scrolling: not what lies under a dialog, nor what only a reader of screens says. */
function linesOnScreen(): { line: string; where: 'page' | 'frame' }[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const lines: { line: string; where: 'page' | 'frame' }[] = []
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(text)
    const { left, top, width, height } = range.getBoundingClientRect()
    const seen = document.elementFromPoint(left + width / 2, top + height / 2)
    const line = text.textContent?.trim() ?? ''
    if (line === '' || !seen || !(text.parentElement?.contains(seen) || seen.contains(text))) continue
    lines.push({ line, where: seen.closest('nav, header') ? 'frame' : 'page' })
  }
  return lines
}
