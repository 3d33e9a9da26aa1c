import type { Page } from 'playwright-core'

/** What a table does not show whole: headings, itself where it is wider than its room, and codes broken over lines. */
export const cutInTable = (page: Page): Promise<string[]> =>
  page.locator('table').evaluate((table) => {
    const room = table.parentElement!
    const isSeen = (part: Element) => part.getClientRects().length > 0
    const heads = Array.from(table.querySelectorAll('th')).filter(
      (head) => isSeen(head) && head.scrollWidth > head.clientWidth,
    )
    const codes = Array.from(table.querySelectorAll('td')).filter((cell) => {
      if (!isSeen(cell) || !/^\d{8,}$/.test(cell.innerText.trim())) return false
      const words = document.createRange()
      words.selectNodeContents(cell)
      return new Set(Array.from(words.getClientRects(), ({ bottom }) => Math.round(bottom))).size > 1
    })
    return [
      ...[...heads, ...codes].map(({ textContent }) => textContent),
      ...(room.scrollWidth > room.clientWidth ? ['the table'] : []),
    ]
  })
